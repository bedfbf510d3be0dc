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
const BARE = "Just a note.\nOf a person.\n";
const PATH = "/memories/deploy.md";
const SECRET = ["AK", "IAQWERTYUIOPASDFGH"].join("");

describe.for(STORES)("Anthropic's memory tool on a store $kind", ({ open }) => {
  async function memory(
    files: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly store: TopicStore; readonly tool: AnthropicMemoryHandler }> {
    const store = await open(files);
    return { store, tool: anthropicMemoryHandler(store) };
  }

  it("creates a file of plain text, described by its first line, and says so", async () => {
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

  it("honours the front matter of a text", async () => {
    const { store, tool } = await memory();
    const file_text = "---\n# mine\nowner: Ann\ntype: user\n---\n\nLikes tabs.\n";
    await tool.create({ path: PATH, file_text });
    const stored = await store.read("deploy");
    expect(stored?.topic).toMatchObject({ description: "Likes tabs.", type: "user", problems: [] });
    expect(stored?.text).toContain("# mine\nowner: Ann\n");
  });

  it("dates an edit where the date is, and leaves the same time elsewhere", async () => {
    const time = "2024-05-01T00:00:00.000Z";
    const header = `created: ${time}\ndescription: d\nmetadata:\n  type: user\n  updated: ${time}\n`;
    const { store, tool } = await memory({ "deploy.md": `---\n${header}---\n\nOld.\n` });
    await tool.str_replace({ path: PATH, old_str: "Old.", new_str: "New." });
    const stored = await store.read("deploy");
    expect(stored?.text).toContain(`created: ${time}\n`);
    expect(stored?.topic.updated).not.toBe(time);
  });

  it("finds nothing under a name that is too long for a file", async () => {
    const { tool } = await memory();
    for (const length of [245, 250, 300]) {
      const path = `/memories/${"x".repeat(length)}.md`;
      expect(await tool.view({ path })).toContain("does not exist");
      expect(await tool.delete({ path })).toContain("Error: ");
    }
  });

  it("shows a file as it is, with its lines numbered", async () => {
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
  ])("shows the lines %j of a file", async ([view_range, lines]) => {
    const { tool } = await memory({ "deploy.md": HAND_MADE });
    expect(await tool.view({ path: PATH, view_range })).toBe(
      `Here's the content of /memories/deploy.md with line numbers:\n${lines}`,
    );
  });

  it("lists the files with their sizes, the index first", async () => {
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

  it("replaces one text by another, anywhere in the file, and keeps the rest", async () => {
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

  it("inserts lines after a line", async () => {
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

  it("keeps the line ends of a file, which the model does not see", async () => {
    const text = "one\r\ntwo\r\nthree";
    const { store, tool } = await memory({ "note.md": text });
    const path = "/memories/note.md";
    await tool.str_replace({ path, old_str: "one\ntwo", new_str: "one\nand\ntwo" });
    await tool.insert({ path, insert_line: 4, insert_text: "four\nfive\n" });
    expect((await store.read("note"))?.text).toBe("one\r\nand\r\ntwo\r\nthree\r\nfour\r\nfive");
  });

  it("says what is wrong with a file that it edits, and edits it", async () => {
    const { store, tool } = await memory({ "note.md": BARE });
    const said = await tool.str_replace({
      path: "/memories/note.md",
      old_str: "Just a",
      new_str: "My",
    });
    expect(said).toContain("     1\tMy note.");
    expect(said).toContain("\nline 1: The file has no header.");
    expect((await store.read("note"))?.text).toBe(BARE.replace("Just a", "My"));
  });

  it("says when the index still has what was the first line", async () => {
    const { tool } = await memory();
    const stale = /\nThe index still says "Step 1" of this file; if that is no longer true, change/;
    await tool.create({ path: PATH, file_text: "# Step 1\n\nThe rest." });
    expect(
      await tool.str_replace({ path: PATH, old_str: "The rest", new_str: "More" }),
    ).not.toMatch(stale);
    expect(
      await tool.str_replace({ path: PATH, old_str: "# Step 1", new_str: "# Step 2" }),
    ).toMatch(stale);
    // Once is enough.
    expect(
      await tool.str_replace({ path: PATH, old_str: "# Step 2", new_str: "# Step 3" }),
    ).not.toMatch(stale);
    const b = "/memories/b.md";
    await tool.create({ path: b, file_text: "One" });
    const described = { path: b, old_str: 'description: "One"', new_str: "description: numbers" };
    expect(await tool.str_replace(described)).not.toContain("The index still says");
    await tool.create({
      path: "/memories/long.md",
      file_text: `${"long ".repeat(40)}\n\nThe rest.`,
    });
    const cut = { path: "/memories/long.md", insert_line: 9, insert_text: "Short." };
    expect(await tool.insert(cut)).toMatch(/\nThe index still says "long long /);
  });

  it("deletes a file with its line in the index", async () => {
    const { store, tool } = await memory({ "deploy.md": HAND_MADE });
    expect(await tool.delete({ path: PATH })).toBe("Successfully deleted /memories/deploy.md");
    expect(await store.read("deploy")).toBeUndefined();
    expect(await store.index()).not.toContain("deploy");
  });

  it("renames a file with its line in the index, and the links to it", async () => {
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

  it("runs any command by its name", async () => {
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

  it("runs calls that come at once in the order in which they came", async () => {
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

  it("tells the person about each change, in one harmless line", async () => {
    const lines: string[] = [];
    const store = await open();
    const tool = anthropicMemoryHandler(store, { notify: (line) => lines.push(line) });
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

  it("changes nothing where it may only look", async () => {
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
      expect(await tool.execute(input)).toMatch(/^Error: This memory can only be viewed/);
    }
    expect((await store.read("deploy"))?.text).toBe(HAND_MADE);
    expect((await store.list()).topics.length).toBe(1);
  });

  describe("refuses, with the words that models know,", () => {
    const other = "/memories/other.md";
    const none = "/memories/none.md";
    it.for<readonly [string, Readonly<Record<string, unknown>>, string]>([
      [
        "to view what is not there",
        { command: "view", path: none },
        `The path ${none} does not exist. Please provide a valid path.`,
      ],
      [
        "to create what is there",
        { command: "create", path: PATH, file_text: "x" },
        `Error: File ${PATH} already exists`,
      ],
      [
        "to create what is there under a name that differs in case",
        { command: "create", path: "/memories/Deploy.md", file_text: "x" },
        `Error: File /memories/Deploy.md already exists as ${PATH}`,
      ],
      [
        "to replace in what is not there",
        { command: "str_replace", path: none, old_str: "a", new_str: "b" },
        `Error: The path ${none} does not exist. Please provide a valid path.`,
      ],
      [
        "to replace what does not appear",
        { command: "str_replace", path: PATH, old_str: "run", new_str: "b" },
        `No replacement was performed, old_str \`run\` did not appear verbatim in ${PATH}.`,
      ],
      [
        "to replace what appears several times",
        { command: "str_replace", path: PATH, old_str: "the", new_str: "b" },
        "No replacement was performed. Multiple occurrences of old_str `the` in lines: 8, 9. Please ensure it is unique",
      ],
      [
        "to replace what appears twice in one stretch",
        { command: "str_replace", path: "/memories/long.md", old_str: "aa", new_str: "b" },
        "No replacement was performed. Multiple occurrences of old_str `aa` in lines: 1. Please ensure it is unique",
      ],
      [
        "to replace what appears very often",
        { command: "str_replace", path: "/memories/many.md", old_str: "a", new_str: "b" },
        "No replacement was performed. Multiple occurrences of old_str `a` in lines: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, …. Please ensure it is unique",
      ],
      [
        "to insert into what is not there",
        { command: "insert", path: none, insert_line: 0, insert_text: "x" },
        `Error: The path ${none} does not exist`,
      ],
      [
        "to insert below the end",
        { command: "insert", path: PATH, insert_line: 10, insert_text: "x" },
        "Error: Invalid `insert_line` parameter: 10. It should be within the range of lines of the file: [0, 9]",
      ],
      [
        "to insert above the beginning",
        { command: "insert", path: PATH, insert_line: -1, insert_text: "x" },
        "Error: Invalid `insert_line` parameter: -1. It should be within the range of lines of the file: [0, 9]",
      ],
      [
        "to delete what is not there",
        { command: "delete", path: none },
        `Error: The path ${none} does not exist`,
      ],
      [
        "to rename what is not there",
        { command: "rename", old_path: none, new_path: "/memories/a.md" },
        `Error: The path ${none} does not exist`,
      ],
      [
        "to rename onto another file",
        { command: "rename", old_path: PATH, new_path: other },
        `Error: The destination ${other} already exists`,
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
    ])("%s", async ([title, input, text]) => {
      // Only a store in memory takes in a file of that many lines.
      const isLong = title === "to show a million lines";
      const files = {
        "deploy.md": HAND_MADE,
        "other.md": HAND_MADE,
        "long.md": isLong ? "\n".repeat(1_000_000) : "aaa",
        "many.md": "a\n".repeat(30),
      };
      const store = isLong ? await (STORES[0]?.open ?? open)(files) : await open(files);
      const before = await contents(store);
      expect(await anthropicMemoryHandler(store).execute(input)).toBe(text);
      expect(await contents(store)).toEqual(before);
    });
  });

  describe("refuses, in words of ours, and changes nothing:", () => {
    const huge = "x".repeat(10 * 1024 * 1024);
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
    it.for<readonly [string, unknown, RegExp]>([
      ["no object", "view", /must be an object/],
      ["a list", [], /must be an object/],
      ["nothing", undefined, /must be an object/],
      ["no command", {}, /`command` .* is missing/],
      ["an unknown command", { command: "chmod" }, /no command chmod\. Use view, create/],
      ["a command of every object", { command: "constructor" }, /no command constructor/],
      ["a path that is no text", view(7), /`path` of view must be a text, and is something else/],
      ["no path", { command: "delete" }, /`path` of delete must be a text, and is missing/],
      ["a text that is none", create(PATH, { a: 1 }), /`file_text` of create must be a text/],
      ["a path outside", view("/etc/passwd"), /not in \/memories/],
      ["a path like the directory", view("/memories-of-others/a.md"), /not in \/memories/],
      ["a relative path", view("memories/a.md"), /not in \/memories/],
      ["a path of Windows", view(String.raw`C:\memories\a.md`), /not in \/memories/],
      ["an address", view("file:///memories/a.md"), /not in \/memories/],
      ["an empty path", view(""), /not in \/memories/],
      ["a way out", create("/memories/../x.md"), /leads out of its directory/],
      ["a way out by backslashes", create(String.raw`/memories/..\x.md`), /leads out/],
      ["a way out below", view("/memories/a/../../x.md"), /leads out/],
      ["an encoded way out", create("/memories/%2e%2e%2fx.md"), /encoded with percent signs/],
      ["a doubly encoded one", create("/memories/%252e%252e/x.md"), /encoded with percent signs/],
      ["a NUL in a path", view("/memories/a\0.md"), /`path` holds a NUL character/],
      ["a NUL in a text", create("/memories/a.md", "a\0b"), /`file_text` holds a NUL character/],
      [
        "a sub-directory",
        create("/memories/team/notes.md"),
        /has a sub-directory, and there are none\. Use a flat name, such as \/memories\/team-notes\.md/,
      ],
      ["a directory to be made", create("/memories/team/"), /has a sub-directory/],
      ["another ending", create("/memories/notes.txt"), /such as \/memories\/notes\.md/],
      ["no ending", create("/memories/notes"), /such as \/memories\/notes\.md/],
      ["a hidden file", create("/memories/.hidden.md"), /begins with a dot/],
      ["a device of Windows", create("/memories/con.md"), /name of a device on Windows/],
      ["a name with a line end", create("/memories/a\nb.md"), /cannot name a topic/],
      ["a long name", create(`/memories/${"x".repeat(101)}.md`), /longer than 100 bytes/],
      ["a very long path", view(`/memories/${huge}.md`), /`path` has \d+ characters/],
      ["a very long text", create("/memories/a.md", huge), /`file_text` has 10485760 characters/],
      ["a long text", create("/memories/a.md", "x".repeat(262_145)), /at most 262144 are kept/],
      ["an empty text", create("/memories/a.md", " \n"), /the body is empty/],
      [
        "a broken header",
        create("/memories/a.md", "---\n[\n---\nx"),
        /line 2: The header is not valid YAML/,
      ],
      [
        "an unknown type",
        create("/memories/a.md", "---\ntype: whim\n---\nx"),
        /line 2: The type "whim"/,
      ],
      ["a secret", create("/memories/a.md", `The key is ${SECRET}.`), /looks like a secret/],
      ["a secret in a name", create(`/memories/${SECRET}.md`), /looks like a secret/],
      ["to create the index", create("/memories/MEMORY.md"), /is the index, and is kept by itself/],
      ["to create the index in small letters", create("/memories/memory.md"), /is kept by itself/],
      ["to create the directory", create("/memories"), /is the directory itself/],
      [
        "to delete the directory",
        { command: "delete", path: "/memories" },
        /is the directory itself/,
      ],
      ["to delete it with a slash", { command: "delete", path: "/memories/" }, /directory itself/],
      ["to delete the index", { command: "delete", path: "/memories/MEMORY.md" }, /is the index/],
      [
        "to rename the directory",
        { command: "rename", old_path: "/memories", new_path: "/memories/a.md" },
        /is the directory itself/,
      ],
      [
        "to rename onto the index",
        { command: "rename", old_path: PATH, new_path: "/memories/MEMORY.md" },
        /is the index/,
      ],
      [
        "to rename out of it",
        { command: "rename", old_path: PATH, new_path: "/memories/../a.md" },
        /leads out/,
      ],
      [
        "to rename to a secret",
        { command: "rename", old_path: PATH, new_path: `/memories/${SECRET}.md` },
        /looks like a secret/,
      ],
      [
        "to write a secret into a file",
        { command: "insert", path: PATH, insert_line: 9, insert_text: `key ${SECRET}` },
        /looks like a secret: .* in line 10 of the file/,
      ],
      [
        "to replace nothing",
        { command: "str_replace", path: PATH, old_str: "", new_str: "x" },
        /`old_str` is empty/,
      ],
      [
        "to break the header",
        {
          command: "str_replace",
          path: PATH,
          old_str: "description: how we deploy\n",
          new_str: "",
        },
        /Nothing was changed: .*no description.* The header, lines 1 to 6, must stay whole/,
      ],
      [
        "to insert above the header",
        { command: "insert", path: PATH, insert_line: 0, insert_text: "x" },
        /Nothing was changed: line 1: The file has no header\. The header, lines 1 to 6/,
      ],
      [
        "to make a file too long",
        { command: "insert", path: PATH, insert_line: 9, insert_text: "x".repeat(262_145) },
        /at most 262144 are kept/,
      ],
      [
        "a line that is no number",
        { command: "insert", path: PATH, insert_line: "2", insert_text: "x" },
        /`insert_line` of insert must be a whole number/,
      ],
      [
        "half a line",
        { command: "insert", path: PATH, insert_line: 1.5, insert_text: "x" },
        /must be a whole number/,
      ],
      [
        "a range of texts",
        view(PATH, ["1", "2"]),
        /`view_range` of view must be two whole numbers/,
      ],
      ["a range of one", view(PATH, [1]), /must be two whole numbers/],
      ["a range from 0 on", view(PATH, [0, 2]), /Invalid `view_range` parameter: \[0, 2\]/],
      ["a range behind the end", view(PATH, [10, 11]), /first line should be within \[1, 9\]/],
      ["a range backwards", view(PATH, [3, 2]), /last line not before it/],
    ])("%s", async ([, input, text]) => {
      const store = await open({ "deploy.md": HAND_MADE });
      const before = await contents(store);
      const said = await anthropicMemoryHandler(store).execute(input);
      expect(said).toMatch(text);
      expect(said).toMatch(/^Error: /);
      expect(said.length).toBeLessThan(1_000);
      expect(await contents(store)).toEqual(before);
    });
  });

  it("lets a fault of the store through, which is no answer for a model", async () => {
    const store = await open();
    const broken = { ...store, read: () => Promise.reject(new TypeError("our own fault")) };
    await expect(anthropicMemoryHandler(broken).view({ path: PATH })).rejects.toThrow("our own");
  });
});

async function contents(store: TopicStore): Promise<unknown> {
  const { topics } = await store.list();
  const texts = await Promise.all(topics.map(async ({ slug }) => (await store.read(slug))?.text));
  return [topics.map(({ slug }) => slug), texts, await store.index()];
}
