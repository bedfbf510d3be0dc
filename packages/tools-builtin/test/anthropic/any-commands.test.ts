import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TopicStore } from "@caliban/memory";
import { createFsTopicStore, type FsTopicStore } from "@caliban/memory/node";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { anthropicMemoryHandler } from "../../src/anthropic/anthropic-memory-handler.ts";

type Command = Readonly<Record<string, unknown>> & { readonly command: string };
/** The expected files by their stems. */
type Files = ReadonlyMap<string, string>;

const path = fc.constantFrom("/memories/a.md", "/memories/b.md", "/memories/d", "/memories/d/c");
const anyPath = fc.oneof(
  { weight: 8, arbitrary: path },
  fc.constantFrom(
    "/memories/../outside.md",
    "/memories/..%2foutside.md",
    "/memories/link.md",
    "/memories/MEMORY.md",
    "/memories",
    "outside.md",
  ),
);
const text = fc.constantFrom("one", "two\n", "# one\n\ntwo two", "[[a]] and [[b]]", "---", "");

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ command: fc.constant("view"), path: anyPath }),
  fc.record({ command: fc.constant("create"), path: anyPath, file_text: text }),
  fc.record({
    command: fc.constant("str_replace"),
    path: anyPath,
    old_str: fc.constantFrom("one", "two", "name: a", "---", "\n\n", ""),
    new_str: text,
  }),
  fc.record({
    command: fc.constant("insert"),
    path: anyPath,
    insert_line: fc.integer({ min: -1, max: 4 }),
    insert_text: text,
  }),
  fc.record({ command: fc.constant("delete"), path: anyPath }),
  fc.record({ command: fc.constant("rename"), old_path: anyPath, new_path: anyPath }),
);

const DONE =
  /^(?:Here're? |Here's |File created |The memory file has been edited\.|The file |Successfully )/;

describe("any commands on a directory", () => {
  it(
    "touches nothing outside the directory, and every command can be undone",
    { timeout: 30_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 6 }), async (commands) => {
          const { home, directory, store } = await directoryWithLink();
          const tool = anthropicMemoryHandler(store, { session: "s-7", onError: "return" });
          const states: Files[] = [await filesOf(store)];
          for (const input of commands) {
            await tool.execute(input);
            const now = await filesOf(store);
            if (!isSame(now, states.at(-1) ?? new Map())) states.push(now);
          }
          expect(await readFile(join(home, "outside.md"), "utf8")).toBe(OUTSIDE);
          expect((await lstat(join(directory, "link.md"))).isSymbolicLink()).toBe(true);
          expect((await readdir(home)).toSorted()).toEqual(["memory", "outside.md"]);
          const log = await store.log();
          expect(log.length).toBeGreaterThanOrEqual(states.length - 1);
          expect(log.every(({ who, session }) => who === "agent" && session === "s-7")).toBe(true);
          for (let left = log.length; left > 0; left--) await store.undo({ author });
          expect(await filesOf(store)).toEqual(states[0]);
        }),
        { numRuns: 25 },
      );
    },
  );

  it.for<Command>([
    { command: "create", path: "/memories/new.md", file_text: "New." },
    { command: "str_replace", path: "/memories/a.md", old_str: "two", new_str: "2" },
    { command: "insert", path: "/memories/a.md", insert_line: 1, insert_text: "more" },
    { command: "rename", old_path: "/memories/a.md", new_path: "/memories/c.md" },
    { command: "delete", path: "/memories/a.md" },
  ])("records $command, and restores every text when it is undone", async (input) => {
    const { store } = await directoryWithLink();
    const tool = anthropicMemoryHandler(store, { session: "s-7", onError: "return" });
    await tool.create({ path: "/memories/a.md", file_text: "one\ntwo" });
    await tool.create({ path: "/memories/b.md", file_text: "see [[a]]" });
    const lines = async (): Promise<readonly string[]> =>
      (await store.index()).split("\n").toSorted();
    const before = [await texts(store), await lines()];
    expect(await tool.execute(input)).toMatch(DONE);
    expect(await texts(store)).not.toEqual(before[0]);
    const [last] = await store.log();
    expect(last).toMatchObject({ who: "agent", session: "s-7" });
    await store.undo({ author });
    expect([await texts(store), await lines()]).toEqual(before);
  });

  it("creates nothing on disk for commands that only view or are refused", async () => {
    const home = await temporaryDirectory();
    const tool = anthropicMemoryHandler(createFsTopicStore({ directory: join(home, "memory") }), {
      onError: "return",
    });
    for (const input of [
      { command: "view", path: "/memories" },
      { command: "view", path: "/memories/MEMORY.md" },
      { command: "view", path: "/memories/a.md" },
      { command: "create", path: "/memories/../a.md", file_text: "" },
      { command: "str_replace", path: "/memories/a.md", old_str: "a", new_str: "b" },
      { command: "delete", path: "/memories/a.md" },
      { command: "rename", old_path: "/memories/a.md", new_path: "/memories/b.md" },
    ]) {
      await tool.execute(input);
      expect(await readdir(home)).toEqual([]);
    }
  });

  it("lists a file that is not valid text, and refuses to show it", async () => {
    const { directory, store } = await directoryWithLink();
    // The start of the file is valid, which is all that a list reads.
    const start = `---\ndescription: d\ntype: user\n---\n\n${"x".repeat(100_000)}`;
    await writeFile(join(directory, "bad.md"), Buffer.concat([Buffer.from(start), Buffer.of(255)]));
    const tool = anthropicMemoryHandler(store, { onError: "return" });
    expect(await tool.view({ path: "/memories" })).toContain("\t/memories/bad.md\n");
    expect(await tool.view({ path: "/memories/bad.md" })).toMatch(/^Error: .*not valid UTF-8/);
  });

  it.for<Command>([
    { command: "view", path: "/memories/link.md" },
    { command: "create", path: "/memories/link.md", file_text: "x" },
    { command: "str_replace", path: "/memories/link.md", old_str: "outside", new_str: "x" },
    { command: "insert", path: "/memories/link.md", insert_line: 0, insert_text: "x" },
    { command: "delete", path: "/memories/link.md" },
    { command: "rename", old_path: "/memories/link.md", new_path: "/memories/c.md" },
    { command: "rename", old_path: "/memories/a.md", new_path: "/memories/link.md" },
  ])("does not follow a link for %j", async (input) => {
    const { home, directory, store } = await directoryWithLink();
    const tool = anthropicMemoryHandler(store, { onError: "return" });
    await tool.create({ path: "/memories/a.md", file_text: "one" });
    const reply = await tool.execute(input);
    expect(reply).toMatch(/^Error: cannot use .*link\.md/);
    expect(reply).not.toContain(OUTSIDE.trim());
    expect(await readFile(join(home, "outside.md"), "utf8")).toBe(OUTSIDE);
    expect((await lstat(join(directory, "link.md"))).isSymbolicLink()).toBe(true);
    expect(await tool.view({ path: "/memories" })).toMatch(/link\.md cannot be read: /);
  });
});

const author = { who: "person" } as const;
const OUTSIDE = "What is outside.\n";

async function directoryWithLink(): Promise<{
  readonly home: string;
  readonly directory: string;
  readonly store: FsTopicStore;
}> {
  const home = await temporaryDirectory();
  const directory = join(home, "memory");
  await mkdir(directory);
  await writeFile(join(home, "outside.md"), OUTSIDE);
  await symlink(join(home, "outside.md"), join(directory, "link.md"));
  return { home, directory, store: createFsTopicStore({ directory }) };
}

async function texts(store: TopicStore): Promise<Files> {
  const { topics } = await store.list();
  const entries = topics.map(
    async ({ slug }) => [slug, (await store.read(slug))?.text ?? ""] as const,
  );
  return new Map(await Promise.all(entries));
}

/** The same without times, which the expectation does not know. */
async function filesOf(store: TopicStore): Promise<Files> {
  const entries = [...(await texts(store))].map(
    ([stem, whole]) => [stem, whole.replace(/^ {2}updated: .*$/m, "  updated: then")] as const,
  );
  return new Map(entries.toSorted(byStem));
}

function byStem([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}

function isSame(one: Files, other: Files): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other]);
}
