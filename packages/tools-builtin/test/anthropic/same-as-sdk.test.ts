import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anthropicMemoryHandler } from "../../src/anthropic/anthropic-memory-handler.ts";
import { STORES } from "./memory-stores.ts";
import {
  callTool,
  comparable,
  filesInStore,
  filesOnDisk,
  type MemoryCall,
  openSdkTool,
  removeEmptyDirectories,
} from "./sdk-tool.ts";

const DOCS = join(import.meta.dirname, "../../../../docs/integrations.md");

const at = (path: string): string => `/memories/${path}`;
const view = (path: string, view_range?: readonly number[]): MemoryCall => ({
  command: "view",
  path,
  ...(view_range === undefined ? {} : { view_range }),
});
const create = (path: string, file_text: string): MemoryCall => ({
  command: "create",
  path,
  file_text,
});
const replace = (path: string, old_str: string, new_str?: string): MemoryCall => ({
  command: "str_replace",
  path,
  old_str,
  ...(new_str === undefined ? {} : { new_str }),
});
const insert = (path: string, insert_line: number, insert_text: string): MemoryCall => ({
  command: "insert",
  path,
  insert_line,
  insert_text,
});
const remove = (path: string): MemoryCall => ({ command: "delete", path });
const rename = (old_path: string, new_path: string): MemoryCall => ({
  command: "rename",
  old_path,
  new_path,
});

const FRONT_MATTER = "---\nname: mine\ndescription: my own\n---\n\nBelow.\n";

/** One conversation with both tools. Every answer must be the same. */
const SAME: readonly MemoryCall[] = [
  view("/memories"),
  create(at("deploy.md"), "# Deploying\n\nMigrations first.\nThen the flag.\n"),
  view(at("deploy.md")),
  view(at("deploy.md"), [2, 3]),
  view(at("deploy.md"), [3, -1]),
  view(at("deploy.md"), [0, 2]),
  view(at("deploy.md"), [4, 400]),
  view(at("deploy.md"), [9, 12]),
  view(at("deploy.md"), [3, 2]),
  view(at("deploy.md"), [-5, -2]),
  insert(at("deploy.md"), 0, "Top line\n"),
  insert(at("deploy.md"), 2, "two\nlines"),
  view(at("deploy.md")),
  insert(at("deploy.md"), 8, "after the end"),
  view(at("deploy.md")),
  insert(at("deploy.md"), 99, "x"),
  insert(at("deploy.md"), -1, "x"),
  replace(at("deploy.md"), "Migrations first.", "Migrations, $& and $1, first.\nAlways."),
  replace(at("deploy.md"), "Top line", "The top"),
  replace(at("deploy.md"), "absent", "x"),
  replace(at("deploy.md"), "the", "x"),
  create(at("deploy.md"), "again"),
  create(at("notes.txt"), "no line end"),
  create(at("data.json"), '{"a": [1, 2]}\n'),
  create(at("README"), "No extension.\n"),
  create(at("empty"), ""),
  view(at("empty")),
  insert(at("empty"), 0, "first"),
  insert(at("empty"), 2, "third"),
  view(at("empty")),
  create(at("crlf.txt"), "one\r\ntwo\r\n"),
  view(at("crlf.txt")),
  insert(at("crlf.txt"), 1, "between"),
  replace(at("crlf.txt"), "two", "2"),
  view(at("crlf.txt")),
  create(at("front.md"), FRONT_MATTER),
  view(at("front.md")),
  replace(at("front.md"), "my own", "yours"),
  create(at("projects/app/notes.md"), "Deep.\n"),
  create(at("projects/app/src/main.py"), "print()\n"),
  create(at("projects/__init__.py"), ""),
  create(at("projects/app.v2/2024-05.tar.gz"), "x"),
  view("/memories"),
  view(at("projects")),
  view(at("projects/app")),
  view(at("projects/app/src/main.py")),
  view(at("projects/none")),
  create(at("projects"), "x"),
  create(at("projects/app/notes.md"), "x"),
  replace(at("projects"), "a", "b"),
  insert(at("projects/app"), 0, "b"),
  rename(at("projects/app/notes.md"), at("projects/app/todo list (1).md")),
  rename(at("crlf.txt"), at("windows/crlf.txt")),
  view(at("windows/crlf.txt")),
  rename(at("projects/app"), at("archive/2024/app")),
  view(at("archive")),
  view(at("archive/2024/app/src/main.py")),
  rename(at("archive"), at("projects")),
  rename(at("deploy.md"), at("notes.txt")),
  rename(at("deploy.md"), at("deploy.md")),
  rename(at("none"), at("else")),
  rename(at("deploy.md"), "/memories"),
  rename("/memories", at("else")),
  create(at(".hidden/file"), "hidden"),
  create(at("node_modules/x/index.js"), "hidden"),
  create(at(".env.example"), "A=1\n"),
  view("/memories"),
  view(at(".hidden")),
  create(at("😀 emoji & more's.md"), "Any name.\n"),
  view(at("😀 emoji & more's.md")),
  create(at("a/b/../c.md"), "Resolved.\n"),
  view(at("./a//c.md")),
  create(at("a/b/../../../escape.md"), "x"),
  view("/memories/../../etc/passwd"),
  view("/etc/passwd"),
  view("memories/deploy.md"),
  create("/memories", "x"),
  replace("/memories", "a", "b"),
  remove("/memories"),
  remove(at("none.md")),
  remove(at("notes.txt")),
  remove(at("archive")),
  view(at("notes.txt")),
  view("/memories"),
];

interface Difference {
  /** As in the table of docs/integrations.md. */
  readonly title: string;
  readonly first?: readonly MemoryCall[];
  readonly call: MemoryCall;
  readonly ours: RegExp;
  readonly sdk: RegExp;
}

const TOKEN = ["AK", "IAQWERTYUIOPASDFGH"].join("");
const A = create(at("a.md"), "one one\ntwo\n");

/** Every documented difference, with a call that shows it. An answer that is an error starts with `!`. */
const DIFFERENCES: readonly Difference[] = [
  {
    title: "secrets",
    call: create(at("key.md"), `# Key\n\nThe key is ${TOKEN}.\n`),
    ours: /^!this looks like a secret: .* in line 3 of the file\./,
    sdk: /^File created/,
  },
  {
    title: "secrets",
    call: create(at(`keys/${TOKEN}.md`), "x"),
    ours: /^!this looks like a secret: .* in the path/,
    sdk: /^File created/,
  },
  {
    title: "size",
    call: create(at("large.txt"), "x\n".repeat(140_000)),
    ours: /^!the body has 279999 bytes; the limit is 262144/,
    sdk: /^File created/,
  },
  {
    title: "long paths",
    call: create(at(`${"x".repeat(120)}.md`), "x"),
    ours: /^!The path .* is too long/,
    sdk: /^File created/,
  },
  {
    title: "odd characters",
    call: create(at("a\nb.md"), "x"),
    ours: /^!The path .* contains a control or invisible character/,
    sdk: /^File created/,
  },
  {
    title: "odd characters",
    call: create(at(String.raw`a\b.md`), "x"),
    ours: /^!The path .* contains a backslash/,
    sdk: /^File created/,
  },
  {
    title: "odd characters",
    call: create(at("%2e%2e%2fx.md"), "x"),
    ours: /^!The path .* is percent-encoded/,
    sdk: /^File created/,
  },
  {
    title: "case",
    first: [A],
    call: create(at("A.md"), "x"),
    ours: /^!File \/memories\/A\.md already exists as \/memories\/a\.md$/,
    sdk: /^(?:File created|!File .* already exists$)/,
  },
  {
    title: "the index",
    call: create(at("MEMORY.md"), "x"),
    ours: /^!create cannot change \/memories\/MEMORY\.md: it is the index/,
    sdk: /^File created/,
  },
  {
    title: "the index",
    call: view(at("MEMORY.md")),
    ours: /^Here's the content of \/memories\/MEMORY\.md with line numbers:\n/,
    sdk: /^!The path .* does not exist/,
  },
  {
    title: "empty directories",
    first: [create(at("d/a.md"), "x"), remove(at("d/a.md"))],
    call: view(at("d")),
    ours: /^!The path \/memories\/d does not exist\. Please provide a valid path\.$/,
    sdk: /^Here're the files/,
  },
  {
    title: "`old_str`",
    first: [A],
    call: replace(at("a.md"), "one", "1"),
    ours: /^!No replacement was performed\. Multiple occurrences of old_str `one` in lines: 1\./,
    sdk: /^The memory file has been edited\.[^]*1 one/,
  },
  {
    title: "`old_str`",
    first: [A],
    call: replace(at("a.md"), "one\ntwo", "1\n2"),
    ours: /^The memory file has been edited\.[^]*one 1\n/,
    sdk: /^!No replacement was performed, old_str/,
  },
  {
    title: "`old_str`",
    first: [create(at("a.md"), "one")],
    call: replace(at("a.md"), "", "x"),
    ours: /^!`old_str` is empty/,
    sdk: /^The memory file has been edited/,
  },
  {
    title: "invalid input",
    first: [A],
    call: replace(at("a.md"), "two"),
    ours: /^The memory file has been edited\.[^]* 2\t\n/,
    sdk: /2\tundefined\n/,
  },
  {
    title: "invalid input",
    first: [A],
    call: { command: "view", path: at("a.md"), view_range: ["1"] },
    ours: /^!`view_range` of view must be two integers/,
    sdk: /^Here's the content/,
  },
  {
    title: "invalid input",
    call: { command: "create", path: at("a.md"), file_text: "a\0b" },
    ours: /^!`file_text` contains a NUL character/,
    sdk: /^File created/,
  },
  {
    title: "similar directories",
    call: create("/memories-of-others/a.md", "x"),
    ours: /^!Path must start with \/memories, got: \/memories-of-others\/a\.md$/,
    sdk: /^File created/,
  },
  {
    title: "trailing slashes",
    first: [A],
    call: view("/memories/"),
    ours: /\t\/memories\/a\.md$/,
    sdk: /\t\/memories\/\/a\.md$/,
  },
  {
    title: "errors of the system",
    first: [A],
    call: create(at("a.md/b.md"), "x"),
    ours: /^!The path .* is not possible: \/memories\/a\.md is a file, not a directory$/,
    sdk: /^!E(?:NOTDIR|EXIST): /,
  },
  {
    title: "errors of the system",
    first: [create(at("d/a.md"), "x")],
    call: rename(at("d"), at("d/e")),
    ours: /^!The destination \/memories\/d\/e is inside \/memories\/d, so nothing was renamed$/,
    sdk: /^!EINVAL: /,
  },
  {
    title: "links",
    first: [A, create(at("b.md"), "See [[a]].\n"), rename(at("a.md"), at("c.md"))],
    call: view(at("b.md")),
    ours: /See \[\[c\]\]\./,
    sdk: /See \[\[a\]\]\./,
  },
];

async function bothTools(open: (typeof STORES)[number]["open"]): Promise<{
  readonly store: Awaited<ReturnType<typeof open>>;
  readonly root: string;
  readonly ask: (call: MemoryCall) => Promise<{
    readonly ours: ReturnType<typeof comparable>;
    readonly sdk: ReturnType<typeof comparable>;
  }>;
}> {
  const [store, { tool, root }] = [await open(), await openSdkTool()];
  const handler = anthropicMemoryHandler(store);
  return {
    store,
    root,
    ask: async (call) => ({
      ours: comparable(await callTool(handler, call)),
      sdk: comparable(await callTool(tool, call)),
    }),
  };
}

describe.for(STORES)("the memory tool on a store $kind", ({ open, kind }) => {
  it("answers like the file system tool of the Anthropic SDK, errors included", async () => {
    expect(SAME.length).toBeGreaterThanOrEqual(41);
    const { store, root, ask } = await bothTools(open);
    for (const [step, call] of SAME.entries()) {
      const { ours, sdk } = await ask(call);
      expect({ step, call, ...ours }).toEqual({ step, call, ...sdk });
    }
    expect(await filesInStore(store)).toEqual(await filesOnDisk(root));
  });

  it("differs from that tool only as documented", async () => {
    const docs = await readFile(DOCS, "utf8");
    const documented = [...docs.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, title]) => title);
    for (const { title, first = [], call, ours, sdk } of DIFFERENCES) {
      const { ask } = await bothTools(open);
      for (const earlier of first) await ask(earlier);
      const answers = await ask(call);
      const shown = (answer: typeof answers.ours): string =>
        `${answer.isError ? "!" : ""}${answer.text}`;
      expect(shown(answers.ours)).toMatch(ours);
      expect(shown(answers.sdk)).toMatch(sdk);
      expect(documented).toContain(title);
    }
  });

  it("shows the same files as that tool after any commands", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { maxLength: 12 }), async (calls) => {
        const { store, root, ask } = await bothTools(open);
        for (const call of calls) {
          const files = await filesOnDisk(root);
          if (isDifferent(files, call)) continue;
          const { ours, sdk } = await ask(call);
          await removeEmptyDirectories(root);
          // Errors of the system are a documented difference in wording.
          const wanted = /^E[A-Z]+: /.test(sdk.text) ? { ...sdk, text: ours.text } : sdk;
          expect({ call, files, ...ours }).toEqual({ call, files, ...wanted });
          expect(await filesInStore(store)).toEqual(await filesOnDisk(root));
        }
      }),
      { numRuns: kind === "on disk" ? 20 : 60 },
    );
  });
});

// Few names, so that they meet: files become directories and the other way round.
const anyPath = fc
  .array(fc.constantFrom("a", "b.md", "c.txt", "_x2F_", "a__b", ".d"), {
    minLength: 1,
    maxLength: 3,
  })
  .map((segments) => at(segments.join("/")));
const anyText = fc
  .array(
    fc.constantFrom("one", "two", "\n", "\r\n", "---", "---\n", "description: x\n", " ", "\uFEFF"),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(""));
const anyCall: fc.Arbitrary<MemoryCall> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(anyPath, anyText).map((input) => create(...input)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyPath, fc.constantFrom("one", "---", "e"), anyText)
      .map((input) => replace(...input)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyPath, fc.integer({ min: -1, max: 4 }), anyText)
      .map((input) => insert(...input)),
  },
  anyPath.map(remove),
  { weight: 2, arbitrary: fc.tuple(anyPath, anyPath).map((input) => rename(...input)) },
  anyPath.map((path) => view(path)),
  fc.constant(view("/memories")),
);

/** Whether a call is a documented difference: text that occurs twice in one line. */
function isDifferent(files: Readonly<Record<string, string>>, call: MemoryCall): boolean {
  if (call.command !== "str_replace") return false;
  const text = files[String(call["path"]).slice("/memories/".length)] ?? "";
  return text.split("\n").some((line) => line.split(String(call["old_str"])).length > 2);
}
