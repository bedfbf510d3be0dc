import type { TopicStore } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import {
  anthropicMemoryHandler,
  type AnthropicMemoryHandler,
} from "../../src/anthropic/anthropic-memory-handler.ts";
import { STORES } from "./memory-stores.ts";

const HAND_MADE = `---
# kept since 2024
owner: Ann # of QA
description: how we deploy
metadata: {type: reference, reviewed: 2024-05-01}
---

Run the migrations.
Flip the flag.
`;
const BARE = "Just a note.\nBy a user.\n";
const PATH = "/memories/deploy.md";
const SECRET = ["AK", "IAQWERTYUIOPASDFGH"].join("");

const OTHER = "/memories/other.md";
const NONE = "/memories/none.md";

/** Refusals in the wording that Anthropic documents. */
const DOCUMENTED_REFUSALS: readonly (readonly [
  title: string,
  input: Readonly<Record<string, unknown>>,
  text: string,
])[] = [
  [
    "to view a missing file",
    { command: "view", path: NONE },
    `The path ${NONE} does not exist. Please provide a valid path.`,
  ],
  [
    "to create an existing file",
    { command: "create", path: PATH, file_text: "x" },
    `Error: File ${PATH} already exists`,
  ],
  [
    "to create a file whose name differs only in case",
    { command: "create", path: "/memories/Deploy.md", file_text: "x" },
    `Error: File /memories/Deploy.md already exists as ${PATH}`,
  ],
  [
    "to replace text in a missing file",
    { command: "str_replace", path: NONE, old_str: "a", new_str: "b" },
    `Error: The path ${NONE} does not exist. Please provide a valid path.`,
  ],
  [
    "to replace text that does not occur",
    { command: "str_replace", path: PATH, old_str: "run", new_str: "b" },
    `No replacement was performed, old_str \`run\` did not appear verbatim in ${PATH}.`,
  ],
  [
    "to replace text that occurs several times",
    { command: "str_replace", path: PATH, old_str: "the", new_str: "b" },
    "No replacement was performed. Multiple occurrences of old_str `the` in lines: 8, 9. Please ensure it is unique",
  ],
  [
    "to replace text with overlapping occurrences",
    { command: "str_replace", path: "/memories/long.md", old_str: "aa", new_str: "b" },
    "No replacement was performed. Multiple occurrences of old_str `aa` in lines: 1. Please ensure it is unique",
  ],
  [
    "to replace text that occurs very often",
    { command: "str_replace", path: "/memories/many.md", old_str: "a", new_str: "b" },
    "No replacement was performed. Multiple occurrences of old_str `a` in lines: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, …. Please ensure it is unique",
  ],
  [
    "to insert into a missing file",
    { command: "insert", path: NONE, insert_line: 0, insert_text: "x" },
    `Error: The path ${NONE} does not exist`,
  ],
  [
    "to insert after the end",
    { command: "insert", path: PATH, insert_line: 10, insert_text: "x" },
    "Error: Invalid `insert_line` parameter: 10. It should be within the range of lines of the file: [0, 9]",
  ],
  [
    "to insert before the beginning",
    { command: "insert", path: PATH, insert_line: -1, insert_text: "x" },
    "Error: Invalid `insert_line` parameter: -1. It should be within the range of lines of the file: [0, 9]",
  ],
  [
    "to delete a missing file",
    { command: "delete", path: NONE },
    `Error: The path ${NONE} does not exist`,
  ],
  [
    "to rename a missing file",
    { command: "rename", old_path: NONE, new_path: "/memories/a.md" },
    `Error: The path ${NONE} does not exist`,
  ],
  [
    "to rename onto another file",
    { command: "rename", old_path: PATH, new_path: OTHER },
    `Error: The destination ${OTHER} already exists`,
  ],
  [
    "to rename a file onto itself",
    { command: "rename", old_path: PATH, new_path: PATH },
    `Error: The destination ${PATH} already exists`,
  ],
  [
    "to show a million lines",
    { command: "view", path: "/memories/long.md" },
    "File /memories/long.md exceeds maximum line limit of 999,999 lines.",
  ],
];

const HUGE = "x".repeat(10 * 1024 * 1024);
const view = (path: unknown, view_range?: unknown): object => ({
  command: "view",
  path,
  ...(view_range === undefined ? {} : { view_range }),
});
const create = (path: unknown, file_text: unknown = "x"): object => ({
  command: "create",
  path,
  file_text,
});

/** Refusals in our own wording. */
const OWN_REFUSALS: readonly (readonly [title: string, input: unknown, text: RegExp])[] = [
  ["input that is not an object", "view", /must be an object/],
  ["an array", [], /must be an object/],
  ["missing input", undefined, /must be an object/],
  ["a missing command", {}, /`command` .* is missing/],
  ["an unknown command", { command: "chmod" }, /Unknown command chmod\. Use one of: view, create/],
  [
    "a command named like an object method",
    { command: "constructor" },
    /Unknown command constructor/,
  ],
  ["a path that is not a string", view(7), /`path` of view must be a string, but has another type/],
  ["a missing path", { command: "delete" }, /`path` of delete must be a string, but is missing/],
  ["a text that is not a string", create(PATH, { a: 1 }), /`file_text` of create must be a string/],
  ["a path outside the directory", view("/etc/passwd"), /not in \/memories/],
  ["a path that starts like the directory", view("/memories-of-others/a.md"), /not in \/memories/],
  ["a relative path", view("memories/a.md"), /not in \/memories/],
  ["a Windows path", view(String.raw`C:\memories\a.md`), /not in \/memories/],
  ["a URL", view("file:///memories/a.md"), /not in \/memories/],
  ["an empty path", view(""), /not in \/memories/],
  ["a path with ..", create("/memories/../x.md"), /leads out of its directory/],
  ["a path with .. and a backslash", create(String.raw`/memories/..\x.md`), /leads out/],
  ["a nested path with ..", view("/memories/a/../../x.md"), /leads out/],
  ["an encoded path with ..", create("/memories/%2e%2e%2fx.md"), /is percent-encoded/],
  ["a doubly encoded path with ..", create("/memories/%252e%252e/x.md"), /is percent-encoded/],
  ["a NUL in a path", view("/memories/a\0.md"), /`path` contains a NUL character/],
  ["a NUL in a text", create("/memories/a.md", "a\0b"), /`file_text` contains a NUL character/],
  [
    "a subdirectory",
    create("/memories/team/notes.md"),
    /has a subdirectory, and subdirectories are not supported\. Use a flat name, such as \/memories\/team-notes\.md/,
  ],
  ["a directory as the path", create("/memories/team/"), /has a subdirectory/],
  ["another extension", create("/memories/notes.txt"), /such as \/memories\/notes\.md/],
  ["no extension", create("/memories/notes"), /such as \/memories\/notes\.md/],
  ["a hidden file", create("/memories/.hidden.md"), /starts with a dot/],
  ["a Windows device name", create("/memories/con.md"), /device name on Windows/],
  ["a name with a line break", create("/memories/a\nb.md"), /invalid topic name/],
  ["a long name", create(`/memories/${"x".repeat(101)}.md`), /longer than 100 bytes/],
  ["a very long path", view(`/memories/${HUGE}.md`), /`path` has \d+ characters/],
  ["a very long text", create("/memories/a.md", HUGE), /`file_text` has 10485760 characters/],
  ["a long text", create("/memories/a.md", "x".repeat(262_145)), /the limit is 262144/],
  ["an empty text", create("/memories/a.md", " \n"), /the body is empty/],
  [
    "a broken header",
    create("/memories/a.md", "---\n[\n---\nx"),
    /line 2: The header is not valid YAML/,
  ],
  [
    "an unknown type",
    create("/memories/a.md", "---\ntype: whim\n---\nx"),
    /line 2: Unknown type "whim"/,
  ],
  ["a secret", create("/memories/a.md", `The key is ${SECRET}.`), /looks like a secret/],
  ["a secret in a name", create(`/memories/${SECRET}.md`), /looks like a secret/],
  [
    "creating the index",
    create("/memories/MEMORY.md"),
    /is the index, which is updated automatically/,
  ],
  ["creating the index in lower case", create("/memories/memory.md"), /is updated automatically/],
  ["creating the directory", create("/memories"), /is the directory itself/],
  ["deleting the directory", { command: "delete", path: "/memories" }, /is the directory itself/],
  [
    "deleting the directory with a slash",
    { command: "delete", path: "/memories/" },
    /directory itself/,
  ],
  ["deleting the index", { command: "delete", path: "/memories/MEMORY.md" }, /is the index/],
  [
    "renaming the directory",
    { command: "rename", old_path: "/memories", new_path: "/memories/a.md" },
    /is the directory itself/,
  ],
  [
    "renaming onto the index",
    { command: "rename", old_path: PATH, new_path: "/memories/MEMORY.md" },
    /is the index/,
  ],
  [
    "renaming out of the directory",
    { command: "rename", old_path: PATH, new_path: "/memories/../a.md" },
    /leads out/,
  ],
  [
    "renaming to a secret",
    { command: "rename", old_path: PATH, new_path: `/memories/${SECRET}.md` },
    /looks like a secret/,
  ],
  [
    "inserting a secret",
    { command: "insert", path: PATH, insert_line: 9, insert_text: `key ${SECRET}` },
    /looks like a secret: .* in line 10 of the file/,
  ],
  [
    "replacing an empty text",
    { command: "str_replace", path: PATH, old_str: "", new_str: "x" },
    /`old_str` is empty/,
  ],
  [
    "breaking the header",
    {
      command: "str_replace",
      path: PATH,
      old_str: "description: how we deploy\n",
      new_str: "",
    },
    /Nothing was changed: .*no description.* Keep the header in lines 1 to 6 intact/,
  ],
  [
    "inserting above the header",
    { command: "insert", path: PATH, insert_line: 0, insert_text: "x" },
    /Nothing was changed: line 1: The file has no header\. Keep the header in lines 1 to 6/,
  ],
  [
    "making a file too long",
    { command: "insert", path: PATH, insert_line: 9, insert_text: "x".repeat(262_145) },
    /the limit is 262144/,
  ],
  [
    "a line that is not a number",
    { command: "insert", path: PATH, insert_line: "2", insert_text: "x" },
    /`insert_line` of insert must be an integer/,
  ],
  [
    "a fractional line",
    { command: "insert", path: PATH, insert_line: 1.5, insert_text: "x" },
    /must be an integer/,
  ],
  ["a range of strings", view(PATH, ["1", "2"]), /`view_range` of view must be two integers/],
  ["a range of one", view(PATH, [1]), /must be two integers/],
  ["a range that starts at 0", view(PATH, [0, 2]), /Invalid `view_range` parameter: \[0, 2\]/],
  ["a range after the end", view(PATH, [10, 11]), /first line must be within \[1, 9\]/],
  ["a reversed range", view(PATH, [3, 2]), /last line must not be before it/],
];

describe.for(STORES)("Anthropic's memory tool on a store $kind", ({ open }) => {
  async function memory(
    files: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly store: TopicStore; readonly tool: AnthropicMemoryHandler }> {
    const store = await open(files);
    return { store, tool: anthropicMemoryHandler(store) };
  }

  it("creates a file from plain text with the first line as its description", async () => {
    const { store, tool } = await memory();
    const file_text = "# Deploying \n\nFirst the migrations.\n";
    expect(await tool.create({ command: "create", path: PATH, file_text })).toBe(
      "File created successfully at: /memories/deploy.md",
    );
    const stored = await store.read("deploy");
    expect(stored?.topic).toMatchObject({
      description: "Deploying",
      type: "project",
      body: "# Deploying \n\nFirst the migrations.",
      problems: [],
    });
    expect(await store.index()).toContain("- [deploy](deploy.md) — project: Deploying");
  });

  it("keeps the front matter of a created file", async () => {
    const { store, tool } = await memory();
    const file_text = "---\n# mine\nowner: Ann\ntype: user\n---\n\nLikes tabs.\n";
    await tool.create({ path: PATH, file_text });
    const stored = await store.read("deploy");
    expect(stored?.topic).toMatchObject({ description: "Likes tabs.", type: "user", problems: [] });
    expect(stored?.text).toContain("# mine\nowner: Ann\n");
  });

  it("updates the date of an edited file, but not the same time elsewhere in it", async () => {
    const time = "2024-05-01T00:00:00.000Z";
    const header = `created: ${time}\ndescription: d\nmetadata:\n  type: user\n  updated: ${time}\n`;
    const { store, tool } = await memory({ "deploy.md": `---\n${header}---\n\nOld.\n` });
    await tool.str_replace({ path: PATH, old_str: "Old.", new_str: "New." });
    const stored = await store.read("deploy");
    expect(stored?.text).toContain(`created: ${time}\n`);
    expect(stored?.topic.updated).not.toBe(time);
  });

  it("finds no file for a name that is too long", async () => {
    const { tool } = await memory();
    for (const length of [245, 250, 300]) {
      const path = `/memories/${"x".repeat(length)}.md`;
      expect(await tool.view({ path })).toContain("does not exist");
      expect(await tool.delete({ path })).toContain("Error: ");
    }
  });

  it("shows a file unchanged, with line numbers", async () => {
    const { tool } = await memory({ "deploy.md": HAND_MADE, "note.md": "a\r\n\tb\r\n\r\n" });
    expect(await tool.view({ path: PATH })).toBe(
      [
        "Here's the content of /memories/deploy.md with line numbers:",
        ...HAND_MADE.trimEnd()
          .split("\n")
          .map((line, at) => `${String(at + 1).padStart(6)}\t${line}`),
      ].join("\n"),
    );
    expect(await tool.view({ path: "/memories/note.md" })).toBe(
      "Here's the content of /memories/note.md with line numbers:\n     1\ta\n     2\t\tb\n     3\t",
    );
  });

  it.for<readonly [readonly number[], string]>([
    [[7, 8], "     7\t\n     8\tRun the migrations."],
    [[8, -1], "     8\tRun the migrations.\n     9\tFlip the flag."],
    [[9, 400], "     9\tFlip the flag."],
  ])("shows lines %j of a file", async ([view_range, lines]) => {
    const { tool } = await memory({ "deploy.md": HAND_MADE });
    expect(await tool.view({ path: PATH, view_range })).toBe(
      `Here's the content of /memories/deploy.md with line numbers:\n${lines}`,
    );
  });

  it("lists the files with their sizes, starting with the index", async () => {
    const index = "# Index\n\n<!-- mine -->\n- [deploy](deploy.md) — reference: how we deploy\n";
    const body = "x".repeat(2_000);
    const { tool } = await memory({
      "MEMORY.md": index,
      "deploy.md": HAND_MADE,
      "big.md": `---\ndescription: big\ntype: user\n---\n\n${body}\n`,
    });
    const listed = await tool.view({ path: "/memories", view_range: [1, 10] });
    expect(await tool.view({ path: "/memories/" })).toBe(listed);
    const [title, root, first, ...files] = listed.split("\n");
    expect(title).toBe(
      "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
    );
    expect(root).toMatch(/^2\.\dK\t\/memories$/);
    expect(first).toMatch(/^\d+B\t\/memories\/MEMORY\.md$/);
    expect(files.toSorted()).toEqual(["158B\t/memories/deploy.md", "2.0K\t/memories/big.md"]);
    expect(await tool.view({ path: "/memories/memory.md" })).toContain("<!-- mine -->");
    expect(await tool.view({ path: "/memories/MEMORY.md", view_range: [3, 3] })).toBe(
      "Here's the content of /memories/MEMORY.md with line numbers:\n     3\t<!-- mine -->",
    );
  });

  it("replaces text anywhere in a file and keeps the rest", async () => {
    const { store, tool } = await memory({ "deploy.md": HAND_MADE });
    expect(
      await tool.str_replace({ path: PATH, old_str: "the flag", new_str: "both\nflags" }),
    ).toBe(
      [
        "The memory file has been edited.",
        "     6\t---",
        "     7\t",
        "     8\tRun the migrations.",
        "     9\tFlip both",
        "    10\tflags.",
      ].join("\n"),
    );
    await tool.str_replace({ path: PATH, old_str: "how we deploy", new_str: "shipping" });
    await tool.str_replace({ path: PATH, old_str: "Run the migrations.\n" });
    expect((await store.read("deploy"))?.text).toBe(
      HAND_MADE.replace("how we deploy", "shipping")
        .replace("Run the migrations.\n", "")
        .replace("the flag", "both\nflags"),
    );
    expect(await store.index()).toContain("— reference: shipping");
  });

  it("inserts lines after a line of a file", async () => {
    const { store, tool } = await memory({ "deploy.md": HAND_MADE, "note.md": BARE });
    const edited = "The file /memories/deploy.md has been edited.";
    expect(await tool.insert({ path: PATH, insert_line: 9, insert_text: "Tell QA.\n" })).toBe(
      edited,
    );
    expect(await tool.insert({ path: PATH, insert_line: 7, insert_text: "Back up.\nWait." })).toBe(
      edited,
    );
    expect((await store.read("deploy"))?.text).toBe(
      HAND_MADE.replace("Run", "Back up.\nWait.\nRun").replace("flag.", "flag.\nTell QA."),
    );
    await tool.insert({ path: "/memories/note.md", insert_line: 0, insert_text: "Top" });
    expect((await store.read("note"))?.text).toBe(`Top\n${BARE}`);
  });

  it("keeps the line endings of an edited file, which the model does not see", async () => {
    const text = "one\r\ntwo\r\nthree";
    const { store, tool } = await memory({ "note.md": text });
    const path = "/memories/note.md";
    await tool.str_replace({ path, old_str: "one\ntwo", new_str: "one\nand\ntwo" });
    await tool.insert({ path, insert_line: 4, insert_text: "four\nfive\n" });
    expect((await store.read("note"))?.text).toBe("one\r\nand\r\ntwo\r\nthree\r\nfour\r\nfive");
  });

  it("edits a malformed file, and reports what is wrong with it", async () => {
    const { store, tool } = await memory({ "note.md": BARE });
    const reply = await tool.str_replace({
      path: "/memories/note.md",
      old_str: "Just a",
      new_str: "My",
    });
    expect(reply).toContain("     1\tMy note.");
    expect(reply).toContain("\nline 1: The file has no header.");
    expect((await store.read("note"))?.text).toBe(BARE.replace("Just a", "My"));
  });

  it("warns when the description is still the old first line of an edited file", async () => {
    const { tool } = await memory();
    const stale =
      /\nThe index still describes this file as "Step 1"\. If that is no longer true, change/;
    await tool.create({ path: PATH, file_text: "# Step 1\n\nThe rest." });
    expect(
      await tool.str_replace({ path: PATH, old_str: "The rest", new_str: "More" }),
    ).not.toMatch(stale);
    expect(
      await tool.str_replace({ path: PATH, old_str: "# Step 1", new_str: "# Step 2" }),
    ).toMatch(stale);
    // Only once.
    expect(
      await tool.str_replace({ path: PATH, old_str: "# Step 2", new_str: "# Step 3" }),
    ).not.toMatch(stale);
    const b = "/memories/b.md";
    await tool.create({ path: b, file_text: "One" });
    const described = { path: b, old_str: 'description: "One"', new_str: "description: numbers" };
    expect(await tool.str_replace(described)).not.toContain("The index still describes");
    await tool.create({
      path: "/memories/long.md",
      file_text: `${"long ".repeat(40)}\n\nThe rest.`,
    });
    const cut = { path: "/memories/long.md", insert_line: 9, insert_text: "Short." };
    expect(await tool.insert(cut)).toMatch(/\nThe index still describes this file as "long long /);
  });

  it("deletes a file and its line in the index", async () => {
    const { store, tool } = await memory({ "deploy.md": HAND_MADE });
    expect(await tool.delete({ path: PATH })).toBe("Successfully deleted /memories/deploy.md");
    expect(await store.read("deploy")).toBeUndefined();
    expect(await store.index()).not.toContain("deploy");
  });

  it("renames a file, its line in the index, and the links to it", async () => {
    const { store, tool } = await memory({
      "deploy.md": HAND_MADE,
      "note.md": "See [[deploy]].\n",
    });
    const paths = { old_path: PATH, new_path: "/memories/shipping.md" };
    expect(await tool.rename(paths)).toBe(
      "Successfully renamed /memories/deploy.md to /memories/shipping.md",
    );
    expect((await store.read("shipping"))?.text).toBe(
      HAND_MADE.replace("}\n---", "}\nname: shipping\n---"),
    );
    expect((await store.read("note"))?.text).toBe("See [[shipping]].\n");
    expect(await store.index()).toContain("- [shipping](shipping.md)");
    expect(
      await tool.rename({ old_path: "/memories/shipping.md", new_path: "/memories/Shipping.md" }),
    ).toBe("Successfully renamed /memories/shipping.md to /memories/Shipping.md");
  });

  it("executes any command by its name", async () => {
    const { tool } = await memory();
    await tool.execute({ command: "create", path: PATH, file_text: "One.\n" });
    await tool.execute({
      command: "str_replace",
      path: PATH,
      old_str: "One.\n",
      new_str: "1.\n2.\n",
    });
    await tool.execute({ command: "rename", old_path: PATH, new_path: "/memories/b.md" });
    expect(await tool.execute({ command: "view", path: "/memories/b.md" })).toMatch(
      /\t1\.\n.*\t2\.$/,
    );
    await tool.execute({ command: "delete", path: "/memories/b.md" });
    expect(await tool.execute({ command: "view", path: "/memories" })).not.toContain("b.md");
  });

  it("executes parallel calls in the order in which they were made", async () => {
    const { store, tool } = await memory();
    const at = { path: PATH, insert_line: 10 };
    await Promise.all([
      tool.create({ path: PATH, file_text: "one" }),
      tool.str_replace({ path: PATH, old_str: "\none\n", new_str: "\none\ntwo\n" }),
      tool.insert({ ...at, insert_text: "three" }),
      tool.rename({ old_path: PATH, new_path: "/memories/b.md" }),
    ]);
    expect((await store.read("b"))?.topic.body.split("\n").toSorted()).toEqual(
      ["one", "three", "two"].toSorted(),
    );
  });

  it("notifies the user about each change in one safe line", async () => {
    const lines: string[] = [];
    const store = await open();
    const tool = anthropicMemoryHandler(store, {
      notify: ({ message }) => void lines.push(message),
    });
    await tool.create({ path: PATH, file_text: "\u202E\u001B[31mRed\n" });
    await tool.str_replace({ path: PATH, old_str: "Red\n", new_str: "Blue\n" });
    await tool.rename({ old_path: PATH, new_path: "/memories/b.md" });
    await tool.delete({ path: "/memories/b.md" });
    await tool.view({ path: "/memories" });
    await tool.delete({ path: "/memories/b.md" });
    expect(lines.map((line) => line.replace(/ \(caliban memory undo \w+\)/, ""))).toEqual([
      String.raw`memory: saved deploy (project: \u{202e} [31mRed)`,
      "memory: changed deploy",
      "memory: renamed deploy to b",
      "memory: deleted b",
    ]);
  });

  it("changes nothing in read-only mode", async () => {
    const store = await open({ "deploy.md": HAND_MADE });
    const tool = anthropicMemoryHandler(store, { readOnly: true });
    expect(await tool.view({ path: PATH })).toContain("owner: Ann");
    for (const input of [
      { command: "create", path: "/memories/a.md", file_text: "x" },
      { command: "str_replace", path: PATH, old_str: "Run", new_str: "x" },
      { command: "insert", path: PATH, insert_line: 9, insert_text: "x" },
      { command: "delete", path: PATH },
      { command: "rename", old_path: PATH, new_path: "/memories/a.md" },
    ]) {
      expect(await tool.execute(input)).toMatch(/^Error: This memory is read-only/);
    }
    expect((await store.read("deploy"))?.text).toBe(HAND_MADE);
    expect((await store.list()).topics.length).toBe(1);
  });

  it("refuses in the documented wording and changes nothing", async () => {
    for (const [title, input, text] of DOCUMENTED_REFUSALS) {
      // Only a store in memory accepts a file with that many lines.
      const isLong = title === "to show a million lines";
      const files = {
        "deploy.md": HAND_MADE,
        "other.md": HAND_MADE,
        "long.md": isLong ? "\n".repeat(1_000_000) : "aaa",
        "many.md": "a\n".repeat(30),
      };
      const store = isLong ? await (STORES[0]?.open ?? open)(files) : await open(files);
      const before = await contents(store);
      expect(await anthropicMemoryHandler(store).execute(input), `refusing ${title}`).toBe(text);
      expect(await contents(store), `refusing ${title}`).toEqual(before);
    }
  });

  it("rejects invalid commands with an explanation and changes nothing", async () => {
    for (const [title, input, text] of OWN_REFUSALS) {
      const store = await open({ "deploy.md": HAND_MADE });
      const before = await contents(store);
      const reply = await anthropicMemoryHandler(store).execute(input);
      expect(reply, `refusing ${title}`).toMatch(text);
      expect(reply, `refusing ${title}`).toMatch(/^Error: /);
      expect(reply.length, `refusing ${title}`).toBeLessThan(1_000);
      expect(await contents(store), `refusing ${title}`).toEqual(before);
    }
  });

  it("rethrows a bug of the store, which is not a result for the model", async () => {
    const store = await open();
    const broken = { ...store, read: () => Promise.reject(new TypeError("our own bug")) };
    await expect(anthropicMemoryHandler(broken).view({ path: PATH })).rejects.toThrow("our own");
  });
});

async function contents(store: TopicStore): Promise<unknown> {
  const { topics } = await store.list();
  const texts = await Promise.all(topics.map(async ({ slug }) => (await store.read(slug))?.text));
  return [topics.map(({ slug }) => slug), texts, await store.index()];
}
