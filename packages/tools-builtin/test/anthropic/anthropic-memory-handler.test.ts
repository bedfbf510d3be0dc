import { MemoryError, type TopicStore } from "@caliban/memory";
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
// The name of its topic has no `=`.
const HIDDEN_SECRET = `/memories/d/${["password", "hunter2hunter2X9"].join("=")}.txt`;
const SECRET = ["AK", "IAQWERTYUIOPASDFGH"].join("");

/** Refusals in the wording of the SDK that same-as-sdk.test.ts does not compare. */
const DOCUMENTED_REFUSALS: readonly (readonly [
  title: string,
  input: Readonly<Record<string, unknown>>,
  text: string,
])[] = [
  [
    "to create a file whose name differs only in case",
    { command: "create", path: "/memories/Deploy.md", file_text: "x" },
    `File /memories/Deploy.md already exists as ${PATH}`,
  ],
  [
    "to replace text that occurs several times",
    { command: "str_replace", path: PATH, old_str: "the", new_str: "b" },
    "No replacement was performed. Multiple occurrences of old_str `the` in lines: 1, 2. Please ensure it is unique",
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
    "to insert after the end of a file with a header",
    { command: "insert", path: PATH, insert_line: 4, insert_text: "x" },
    "Invalid `insert_line` parameter: 4. It should be within the range of lines of the file: [0, 3]",
  ],
  [
    "to replace text of the header",
    { command: "str_replace", path: PATH, old_str: "how we deploy", new_str: "b" },
    `No replacement was performed, old_str \`how we deploy\` did not appear verbatim in ${PATH}.`,
  ],
  [
    "to show a million lines",
    { command: "view", path: "/memories/long.md" },
    "File /memories/long.md has too many lines (1000001). Maximum is 999,999 lines.",
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
  ["a path outside the directory", view("/etc/passwd"), /must start with \/memories/],
  [
    "a path that starts like the directory",
    view("/memories-of-others/a.md"),
    /must start with \/memories/,
  ],
  ["a relative path", view("memories/a.md"), /must start with \/memories/],
  ["a Windows path", view(String.raw`C:\memories\a.md`), /a backslash/],
  ["a URL", view("file:///memories/a.md"), /must start with \/memories/],
  ["an empty path", view(""), /must start with \/memories/],
  ["a path with ..", create("/memories/../x.md"), /would escape \/memories/],
  ["a path with .. and a backslash", create(String.raw`/memories/..\x.md`), /a backslash/],
  ["a nested path with ..", view("/memories/a/../../x.md"), /would escape/],
  ["an encoded path with ..", create("/memories/%2e%2e%2fx.md"), /is percent-encoded/],
  ["a doubly encoded path with ..", create("/memories/%252e%252e/x.md"), /is percent-encoded/],
  ["a NUL in a path", view("/memories/a\0.md"), /`path` contains a NUL character/],
  ["a NUL in a text", create("/memories/a.md", "a\0b"), /`file_text` contains a NUL character/],
  ["a name with a line break", create("/memories/a\nb.md"), /control or invisible character/],
  ["a name with an invisible character", create("/memories/a\u202Eb.md"), /invisible character/],
  ["a long name", create(`/memories/${"x".repeat(101)}.md`), /is too long/],
  ["a very long path", view(`/memories/${HUGE}.md`), /`path` has \d+ characters/],
  ["a very long text", create("/memories/a.md", HUGE), /`file_text` has 10485760 characters/],
  ["a long text", create("/memories/a.md", "x".repeat(262_145)), /the limit is 262144/],
  ["a secret", create("/memories/a.md", `The key is ${SECRET}.`), /looks like a secret/],
  [
    "secrets in several lines",
    create("/memories/a.md", `${SECRET}\n\n${SECRET}\n`),
    /^Error: this looks like a secret: [^;:]+ in line 1 of the file; [^;:]+ in line 3 of the file\. Memory is/,
  ],
  ["a secret in a name", create(`/memories/${SECRET}.md`), /looks like a secret/],
  [
    "a secret that the name of the topic would hide",
    create(HIDDEN_SECRET),
    /looks like a secret: password in the path/,
  ],
  [
    "renaming to a secret that the name of the topic would hide",
    { command: "rename", old_path: PATH, new_path: HIDDEN_SECRET },
    /looks like a secret: password in the path/,
  ],
  [
    "creating the index",
    create("/memories/MEMORY.md"),
    /is the index, which is updated automatically/,
  ],
  ["creating the index in lower case", create("/memories/memory.md"), /is updated automatically/],
  ["creating the directory", create("/memories"), /File \/memories already exists/],
  [
    "deleting the directory",
    { command: "delete", path: "/memories" },
    /Cannot delete the \/memories/,
  ],
  [
    "deleting the directory with a slash",
    { command: "delete", path: "/memories/" },
    /Cannot delete the \/memories directory itself/,
  ],
  ["deleting the index", { command: "delete", path: "/memories/MEMORY.md" }, /it is the index/],
  [
    "renaming the directory",
    { command: "rename", old_path: "/memories", new_path: "/memories/a.md" },
    /Cannot rename the \/memories directory itself/,
  ],
  [
    "renaming onto the index",
    { command: "rename", old_path: PATH, new_path: "/memories/MEMORY.md" },
    /is the index/,
  ],
  [
    "renaming out of the directory",
    { command: "rename", old_path: PATH, new_path: "/memories/../a.md" },
    /would escape/,
  ],
  [
    "renaming to a secret",
    { command: "rename", old_path: PATH, new_path: `/memories/${SECRET}.md` },
    /looks like a secret/,
  ],
  [
    "inserting a secret",
    { command: "insert", path: PATH, insert_line: 2, insert_text: `key ${SECRET}` },
    /looks like a secret: [^;]* in line 3 of the file\./,
  ],
  [
    "replacing an empty text",
    { command: "str_replace", path: PATH, old_str: "", new_str: "x" },
    /`old_str` is empty/,
  ],
  [
    "making a file too long",
    { command: "insert", path: PATH, insert_line: 2, insert_text: "x".repeat(262_145) },
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
];

describe.for(STORES)("Anthropic's memory tool on a store $kind", ({ open }) => {
  async function memory(
    files: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly store: TopicStore; readonly tool: AnthropicMemoryHandler }> {
    const store = await open(files);
    return { store, tool: anthropicMemoryHandler(store, { onError: "return" }) };
  }

  it("creates a file as a topic with the first line as its description", async () => {
    const { store, tool } = await memory();
    const file_text = "# Deploying \n\nFirst the migrations.\n";
    expect(await tool.create({ command: "create", path: PATH, file_text })).toBe(
      "File created successfully at: /memories/deploy.md",
    );
    const stored = await store.read("deploy");
    expect(stored?.topic).toMatchObject({
      name: "deploy",
      description: "Deploying",
      type: "project",
      body: "# Deploying \n\nFirst the migrations.",
      problems: [],
    });
    expect(stored?.text.endsWith(`---\n\n${file_text}`)).toBe(true);
    expect(await store.index()).toContain("- [deploy](deploy.md) — project: Deploying");
  });

  it("describes a file by its own front matter, which stays a part of its text", async () => {
    const { store, tool } = await memory();
    const file_text = "---\n# mine\ndescription: what Ann likes\ntype: user\n---\n\nTabs.\n";
    await tool.create({ path: PATH, file_text });
    expect((await store.read("deploy"))?.topic).toMatchObject({
      description: "what Ann likes",
      type: "user",
      body: file_text.trimEnd(),
      problems: [],
    });
    expect(await tool.view({ path: PATH, view_range: [1, 3] })).toMatch(
      /\n {5}1\t---\n {5}2\t# mine\n {5}3\tdescription: what Ann likes$/,
    );
  });

  it("names the topics of other paths so that users can read them in the index", async () => {
    const { store, tool } = await memory();
    await tool.create({ path: "/memories/projects/app/notes.md", file_text: "Notes." });
    await tool.create({ path: "/memories/data.json", file_text: '{"data": 1}' });
    await tool.create({ path: "/memories/TODO", file_text: "" });
    const index = await store.index();
    expect(index.split("\n").filter((line) => line.startsWith("- "))).toEqual(
      expect.arrayContaining([
        "- [memories__projects__app__notes](memories__projects__app__notes.md) — project: Notes.",
        '- [memories__data.json](memories__data.json.md) — project: {"data": 1}',
        "- [memories__TODO__](memories__TODO__.md) — project: (empty file)",
      ]),
    );
    expect((await store.list()).topics.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("shows the topics of other tools as Markdown files, whatever their names are", async () => {
    const names = ["deploy", "mcp__server__tool", "memories__x", "project", "50% (off)"];
    const { tool } = await memory(
      Object.fromEntries(names.map((name) => [`${name}.md`, HAND_MADE])),
    );
    const listed = await tool.view({ path: "/memories" });
    for (const name of names) {
      expect(listed).toContain(`\t/memories/${name}.md`);
      const path = `/memories/${name}.md`;
      expect(await tool.view({ path })).toContain("     1\tRun the migrations.\n");
      expect(await tool.create({ path, file_text: "x" })).toContain("already exists");
      expect(await tool.insert({ path, insert_line: 0, insert_text: "Top" })).toContain("edited");
    }
  });

  it("finds no file for a name that is too long", async () => {
    const { tool } = await memory();
    for (const length of [245, 250, 300]) {
      const path = `/memories/${"x".repeat(length)}.md`;
      expect(await tool.view({ path })).toContain("does not exist");
      expect(await tool.delete({ path })).toContain("Error: ");
    }
  });

  it("hides the header of a file and keeps it when the file is edited", async () => {
    const { store, tool } = await memory({ "deploy.md": HAND_MADE });
    expect(await tool.view({ path: PATH })).toBe(
      [
        "Here's the content of /memories/deploy.md with line numbers:",
        "     1\tRun the migrations.",
        "     2\tFlip the flag.",
        "     3\t",
      ].join("\n"),
    );
    await tool.str_replace({ path: PATH, old_str: "the flag", new_str: "both\nflags" });
    await tool.insert({ path: PATH, insert_line: 0, insert_text: "\n" });
    expect((await store.read("deploy"))?.text).toBe(
      HAND_MADE.replace("Run", "\nRun").replace("the flag", "both\nflags"),
    );
    expect(await store.index()).toContain("— reference: how we deploy");
  });

  it.for([
    ["no blank line below it", "---\ndescription: d\ntype: user\n---\nText.\n"],
    ["CRLF line ends", "---\r\ndescription: d\r\ntype: user\r\n---\r\n\r\nText.\r\n"],
    ["nothing below it", "---\ndescription: d\ntype: user\n---"],
    ["a byte order mark", "\uFEFF---\ndescription: d\ntype: user\n---\n\nText.\n"],
  ] as const)("keeps a header with %s", async ([, file]) => {
    const { store, tool } = await memory({ "note.md": file });
    const path = "/memories/note.md";
    const before = await tool.view({ path });
    for (const insert_text of ["\n", "one", "\r"]) {
      expect(await tool.insert({ path, insert_line: 0, insert_text })).toContain("edited");
    }
    const lines = (await tool.view({ path })).split("\n");
    expect(lines.slice(1, 4).map((line) => line.slice(7))).toEqual(["\r", "one", ""]);
    expect(lines.length).toBe(before.split("\n").length + 3);
    expect((await store.read("note"))?.topic).toMatchObject({ description: "d", type: "user" });
  });

  it("adds a header to a file without one only if its text would look like a header", async () => {
    const { store, tool } = await memory({ "note.md": BARE });
    const path = "/memories/note.md";
    await tool.str_replace({ path, old_str: "Just a", new_str: "My" });
    expect((await store.read("note"))?.text).toBe(BARE.replace("Just a", "My"));
    await tool.insert({ path, insert_line: 0, insert_text: "---\ntype: user\n---" });
    expect(await tool.view({ path })).toContain("\n     1\t---\n     2\ttype: user\n     3\t---\n");
    expect((await store.read("note"))?.topic).toMatchObject({ type: "user", problems: [] });
  });

  it("shows a broken header, so that the model can repair it", async () => {
    const { store, tool } = await memory({
      "note.md": "---\ndescription: [\ntype: user\n---\nx\n",
    });
    const path = "/memories/note.md";
    await tool.str_replace({ path, old_str: "[", new_str: "fine" });
    expect((await store.read("note"))?.topic).toMatchObject({ description: "fine", problems: [] });
    expect(await tool.view({ path })).toMatch(/numbers:\n {5}1\tx\n {5}2\t$/);
  });

  it.for(["\n", "\r\n", "---\n", "---\na: [\n---\n", "\uFEFF---\nx: y\n---\nz", "a\rb", " "])(
    "returns the text %j exactly, also after a rename",
    async (file_text) => {
      const { store, tool } = await memory();
      await tool.create({ path: PATH, file_text });
      await tool.rename({ old_path: PATH, new_path: "/memories/d/other.txt" });
      expect(await tool.view({ path: "/memories/d/other.txt" })).toBe(
        `Here's the content of /memories/d/other.txt with line numbers:\n${file_text
          .split("\n")
          .map((line, at) => `     ${at + 1}\t${line}`)
          .join("\n")}`,
      );
      expect((await store.read("memories__d__other.txt"))?.topic.problems).toEqual([]);
    },
  );

  it("updates the date of an edited file, but not the same time elsewhere in it", async () => {
    const time = "2024-05-01T00:00:00.000Z";
    const header = `created: ${time}\ndescription: d\nmetadata:\n  type: user\n  updated: ${time}\n`;
    const { store, tool } = await memory({ "deploy.md": `---\n${header}---\n\nOld.\n` });
    await tool.str_replace({ path: PATH, old_str: "Old.", new_str: "New." });
    const stored = await store.read("deploy");
    expect(stored?.text).toContain(`created: ${time}\n`);
    expect(stored?.topic.updated).not.toBe(time);
  });

  it("updates a description that is the first line, and keeps any other", async () => {
    const { store, tool } = await memory({ "other.md": HAND_MADE });
    const descriptions = async (): Promise<readonly string[]> =>
      (await store.list()).topics.map(({ description }) => description).toSorted();
    await tool.create({ path: PATH, file_text: `${"long ".repeat(40)}\n\nThe rest.` });
    await tool.insert({ path: PATH, insert_line: 0, insert_text: '# "Quoted" \\ $& step' });
    await tool.insert({ path: "/memories/other.md", insert_line: 0, insert_text: "Top" });
    expect(await descriptions()).toEqual(['"Quoted" \\ $& step', "how we deploy"]);
    await tool.str_replace({ path: PATH, old_str: "The rest", new_str: "More" });
    expect(await descriptions()).toEqual(['"Quoted" \\ $& step', "how we deploy"]);
  });

  it("replaces several lines of a file with CRLF, which the model does not see", async () => {
    const { store, tool } = await memory({ "note.md": "one\r\ntwo\r\nthree" });
    const path = "/memories/note.md";
    await tool.str_replace({ path, old_str: "one\ntwo", new_str: "one\nand\ntwo" });
    expect((await store.read("note"))?.text).toBe("one\r\nand\r\ntwo\r\nthree");
  });

  it("lists the index first, and shows it", async () => {
    const index = "# Index\n\n<!-- mine -->\n- [deploy](deploy.md) — reference: how we deploy\n";
    const { tool } = await memory({ "MEMORY.md": index, "deploy.md": HAND_MADE });
    const listed = await tool.view({ path: "/memories", view_range: [1, 10] });
    expect(listed.split("\n").slice(1)).toEqual([
      "4K\t/memories",
      `${Buffer.byteLength(index)}B\t/memories/MEMORY.md`,
      "35B\t/memories/deploy.md",
    ]);
    expect(await tool.view({ path: "/memories/memory.md" })).toContain("<!-- mine -->");
    expect(await tool.view({ path: "/memories/MEMORY.md", view_range: [3, 3] })).toBe(
      "Here's the content of /memories/MEMORY.md with line numbers:\n     3\t<!-- mine -->",
    );
    await tool.insert({ path: PATH, insert_line: 0, insert_text: "1234" });
    expect(await tool.view({ path: "/memories" })).toContain("40B\t/memories/deploy.md");
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

  it("renames all files of a directory or none", async () => {
    const store = await open();
    let renames = 0;
    const failing = {
      ...store,
      rename: async (request: Parameters<typeof store.rename>[0]) => {
        renames += 1;
        if (renames === 2) throw new MemoryError("STORE_BUSY", "busy");
        return await store.rename(request);
      },
    };
    const tool = anthropicMemoryHandler(failing, { onError: "return" });
    for (const name of ["a", "b", "c"]) {
      await tool.create({ path: `/memories/d/${name}.txt`, file_text: name });
    }
    const before = await tool.view({ path: "/memories" });
    const paths = { old_path: "/memories/d", new_path: "/memories/e" };
    expect(await tool.rename(paths)).toBe("Error: busy.");
    expect(await tool.view({ path: "/memories" })).toBe(before);
    expect(await tool.rename(paths)).toBe("Successfully renamed /memories/d to /memories/e");
    expect((await store.list()).topics.map(({ slug }) => slug).toSorted()).toEqual(
      ["a", "b", "c"].map((name) => `memories__e__${name}.txt`),
    );
  });

  it("restores the files of a deleted directory when the changes are undone", async () => {
    const { store, tool } = await memory();
    await tool.create({ path: "/memories/d/a.txt", file_text: "one\r\n" });
    await tool.create({ path: "/memories/d/b", file_text: "" });
    await tool.delete({ path: "/memories/d" });
    expect((await store.list()).topics).toEqual([]);
    for (let count = 0; count < 2; count++) await store.undo({ author: { who: "person" } });
    expect(await tool.view({ path: "/memories/d" })).toMatch(/5B\t.*\/a\.txt\n0B\t.*\/b$/);
  });

  it("throws what the model should know, unless it is asked to return it", async () => {
    const store = await open();
    await expect(anthropicMemoryHandler(store).view({ path: PATH })).rejects.toMatchObject({
      code: "COMMAND_FAILED",
      message: `The path ${PATH} does not exist. Please provide a valid path.`,
    });
    const returning = anthropicMemoryHandler(store, { onError: "return" });
    expect(await returning.view({ path: PATH })).toMatch(/^Error: The path .* does not exist/);
  });

  it("executes any command by its name", async () => {
    const { tool } = await memory();
    await tool.execute({ command: "create", path: PATH, file_text: "One.\n" });
    await tool.execute({
      command: "str_replace",
      path: PATH,
      old_str: "One.",
      new_str: "1.\n2.",
    });
    await tool.execute({ command: "rename", old_path: PATH, new_path: "/memories/b.md" });
    expect(await tool.execute({ command: "view", path: "/memories/b.md" })).toMatch(
      /\t1\.\n.*\t2\.\n.*\t$/,
    );
    await tool.execute({ command: "delete", path: "/memories/b.md" });
    expect(await tool.execute({ command: "view", path: "/memories" })).not.toContain("b.md");
  });

  it("executes parallel calls in the order in which they were made", async () => {
    const { store, tool } = await memory();
    await Promise.all([
      tool.create({ path: PATH, file_text: "one" }),
      tool.str_replace({ path: PATH, old_str: "one", new_str: "one\ntwo" }),
      tool.insert({ path: PATH, insert_line: 2, insert_text: "three" }),
      tool.rename({ old_path: PATH, new_path: "/memories/b.md" }),
    ]);
    expect((await store.read("b"))?.topic.body).toBe("one\ntwo\nthree");
  });

  it("notifies the user about each change in one safe line", async () => {
    const lines: string[] = [];
    const store = await open();
    const tool = anthropicMemoryHandler(store, {
      notify: ({ message }) => void lines.push(message),
      onError: "return",
    });
    await tool.create({ path: PATH, file_text: "\u202E\u001B[31mRed\n" });
    await tool.str_replace({ path: PATH, old_str: "Red", new_str: "Blue" });
    await tool.rename({ old_path: PATH, new_path: "/memories/b.md" });
    await tool.delete({ path: "/memories/b.md" });
    await tool.view({ path: "/memories" });
    await tool.delete({ path: "/memories/b.md" });
    for (const name of ["a", "b"]) {
      await tool.create({ path: `/memories/d/${name}.txt`, file_text: name });
    }
    await tool.rename({ old_path: "/memories/d", new_path: "/memories/e" });
    await tool.delete({ path: "/memories/e" });
    expect(lines).toEqual([
      String.raw`memory: saved deploy (project: \u{202e} [31mRed)`,
      "memory: changed deploy",
      "memory: renamed deploy to b",
      "memory: deleted b",
      "memory: saved memories__d__a.txt (project: a)",
      "memory: saved memories__d__b.txt (project: b)",
      "memory: renamed d/ to e/ (2 topics)",
      "memory: deleted e/ (2 topics)",
    ]);
  });

  it("changes nothing in read-only mode", async () => {
    const store = await open({ "deploy.md": HAND_MADE });
    const tool = anthropicMemoryHandler(store, { readOnly: true, onError: "return" });
    expect(await tool.view({ path: PATH })).toContain("Run the migrations.");
    for (const input of [
      { command: "create", path: "/memories/a.md", file_text: "x" },
      { command: "str_replace", path: PATH, old_str: "Run", new_str: "x" },
      { command: "insert", path: PATH, insert_line: 0, insert_text: "x" },
      { command: "delete", path: PATH },
      { command: "rename", old_path: PATH, new_path: "/memories/a.md" },
    ]) {
      expect(await tool.execute(input)).toMatch(/^Error: This memory is read-only/);
    }
    expect((await store.read("deploy"))?.text).toBe(HAND_MADE);
    expect((await store.list()).topics.length).toBe(1);
  });

  it("refuses in the wording of the SDK and changes nothing", async () => {
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
      await expect(
        anthropicMemoryHandler(store).execute(input),
        `refusing ${title}`,
      ).rejects.toMatchObject({ message: text });
      expect(await contents(store), `refusing ${title}`).toEqual(before);
    }
  });

  it("rejects invalid commands with an explanation and changes nothing", async () => {
    for (const [title, input, text] of OWN_REFUSALS) {
      const store = await open({ "deploy.md": HAND_MADE });
      const before = await contents(store);
      const reply = await anthropicMemoryHandler(store, { onError: "return" }).execute(input);
      expect(reply, `refusing ${title}`).toMatch(text);
      expect(reply, `refusing ${title}`).toMatch(/^Error: /);
      expect(reply.length, `refusing ${title}`).toBeLessThan(1_000);
      expect(await contents(store), `refusing ${title}`).toEqual(before);
    }
  });

  it("rethrows a bug of the store, which is not a result for the model", async () => {
    const store = await open();
    const broken = { ...store, read: () => Promise.reject(new TypeError("our own bug")) };
    await expect(
      anthropicMemoryHandler(broken, { onError: "return" }).view({ path: PATH }),
    ).rejects.toThrow("our own");
  });
});

async function contents(store: TopicStore): Promise<unknown> {
  const { topics } = await store.list();
  const texts = await Promise.all(topics.map(async ({ slug }) => (await store.read(slug))?.text));
  return [topics.map(({ slug }) => slug), texts, await store.index()];
}
