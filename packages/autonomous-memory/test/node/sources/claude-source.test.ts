import { readFileSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { claudeSource } from "../../../src/node/sources/claude-source.ts";
import type { SessionSource, SourceFile } from "../../../src/transcript/session-source.ts";
import { collected } from "./collected.ts";
import { treeOf } from "./tree-of.ts";

const UUID = "3f1c2a50-0000-4000-8000-000000000001";
const OTHER = "3f1c2a50-0000-4000-8000-000000000002";

interface Place {
  readonly home: string;
  readonly workspaceRoot: string;
  readonly source: SessionSource;
}

async function place(env: Readonly<Record<string, string>> = {}): Promise<Place> {
  const home = await temporaryDirectory();
  const workspaceRoot = join(home, "my.app");
  await mkdir(join(workspaceRoot, "packages"), { recursive: true });
  return { home, workspaceRoot, source: claudeSource({ home, env, workspaceRoot }) };
}

/** The directory name that Claude Code uses for a path. */
const encoded = (path: string): string => path.replaceAll(/[^a-z0-9]/gi, "-");

function transcript(cwd: string, text = "Use pnpm."): string {
  const line = { sessionId: UUID, cwd, timestamp: "2026-11-16T17:10:45.000Z", isSidechain: false };
  return [
    { type: "file-history-snapshot", messageId: "m", snapshot: {} },
    { ...line, type: "user", message: { role: "user", content: text } },
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");
}

const file = (path: string): SourceFile => ({ path, mtimeMs: 0, size: 0 });
const names = async ({ list }: SessionSource): Promise<ReadonlySet<string>> => {
  const { files } = await list();
  return new Set(files.map(({ path }) => join(basename(dirname(path)), basename(path))));
};

describe("claudeSource", () => {
  it("finds sessions of the workspace and its directories, without sub-agents", async () => {
    const { home, workspaceRoot, source } = await place();
    const root = encoded(workspaceRoot);
    const text = transcript(workspaceRoot);
    await writeFiles(join(home, ".claude/projects"), {
      [`${root}/${UUID}.jsonl`]: text,
      [`${root}/agent-${UUID}.jsonl`]: text,
      [`${root}/agent-1a2b3c4d.jsonl`]: text,
      [`${root}/${UUID}/subagents/agent-1.jsonl`]: text,
      [`${root}/memory/MEMORY.md`]: "a",
      [`${root}/sessions-index.json`]: "{}",
      [`${root}-packages/${OTHER}.jsonl`]: text,
      [`${root}2/${OTHER}.jsonl`]: text,
      [`${encoded(home)}/${OTHER}.jsonl`]: text,
    });
    expect(await names(source)).toEqual(
      new Set([`${root}-packages/${OTHER}.jsonl`, `${root}/${UUID}.jsonl`]),
    );
    expect(await source.list()).toMatchObject({ isComplete: true, notices: [] });
    expect([source.name, source.forgetsRemoved]).toEqual(["claude", false]);
  });

  it("looks in CLAUDE_CONFIG_DIR", async () => {
    const configured = await temporaryDirectory();
    const { home, workspaceRoot, source } = await place({ CLAUDE_CONFIG_DIR: configured });
    const name = `projects/${encoded(workspaceRoot)}/${UUID}.jsonl`;
    await writeFiles(configured, { [name]: transcript(workspaceRoot) });
    expect((await source.list()).files).toMatchObject([{ path: join(configured, name) }]);
    const usual = claudeSource({ home, env: { CLAUDE_CONFIG_DIR: "" }, workspaceRoot });
    expect(await usual.list()).toEqual({ files: [], isComplete: true, notices: [] });
  });

  it.for([
    ["a path that is not absolute", () => "conf", "it is not an absolute path"],
    [
      "a directory in the workspace",
      (root: string) => join(root, "conf"),
      "it names a directory in the workspace",
    ],
    [
      "a link into the workspace",
      (root: string) => join(root, "../link"),
      "it names a directory in the workspace",
    ],
  ] as const)("never looks in %s", async ([, directory, reason]) => {
    const { home, workspaceRoot } = await place();
    const configured = directory(workspaceRoot);
    const name = `projects/${encoded(workspaceRoot)}/${UUID}.jsonl`;
    await writeFiles(join(workspaceRoot, "conf"), { [name]: transcript(workspaceRoot) });
    await symlink(join(workspaceRoot, "conf"), join(home, "link"));
    await writeFiles(join(home, ".claude"), { [name]: transcript(workspaceRoot) });
    const env = { CLAUDE_CONFIG_DIR: configured };
    expect(await claudeSource({ home, env, workspaceRoot }).list()).toMatchObject({
      files: [{ path: join(home, ".claude", name) }],
      isComplete: true,
      notices: [{ message: `CLAUDE_CONFIG_DIR is ignored because ${reason}` }],
    });
  });

  it("looks in a home directory that is the workspace", async () => {
    const home = await temporaryDirectory();
    const name = `conf/projects/${encoded(home)}/${UUID}.jsonl`;
    await writeFiles(home, { [name]: transcript(home) });
    const env = { CLAUDE_CONFIG_DIR: join(home, "conf") };
    expect(await claudeSource({ home, env, workspaceRoot: home }).list()).toMatchObject({
      files: [{ path: join(home, name) }],
      notices: [],
    });
  });

  it("finds sessions of a workspace behind a link or with a long name", async () => {
    const { home, workspaceRoot } = await place();
    const [link, long] = [join(home, "link"), join(home, "x".repeat(200), "y")];
    await symlink(workspaceRoot, link);
    await writeFiles(join(home, ".claude/projects"), {
      [`${encoded(workspaceRoot)}/${UUID}.jsonl`]: transcript(workspaceRoot),
      [`${encoded(link)}/${OTHER}.jsonl`]: transcript(link),
      [`${encoded(long).slice(0, 200)}-k3f9/${OTHER}.jsonl`]: transcript(long),
    });
    const linked = claudeSource({ home, env: {}, workspaceRoot: link });
    const { files } = await linked.list();
    expect(files).toHaveLength(2);
    for (const each of files)
      expect(await linked.identify(each)).toMatchObject({ kind: "session" });
    const deep = claudeSource({ home, env: {}, workspaceRoot: long });
    expect((await deep.list()).files).toHaveLength(1);
  });

  it("accepts sessions that started in the workspace, with links resolved", async () => {
    const { home, workspaceRoot, source } = await place();
    const [outside, inside] = [join(workspaceRoot, "outside"), join(home, "inside")];
    await symlink(home, outside);
    await symlink(join(workspaceRoot, "packages"), inside);
    const cases = [
      [workspaceRoot, "session"],
      [join(workspaceRoot, "packages"), "session"],
      [inside, "session"],
      [join(workspaceRoot, "gone/since"), "session"],
      [`${workspaceRoot}/gone/../../else`, "other-project"],
      [outside, "other-project"],
      [home, "other-project"],
      [`${workspaceRoot}2`, "other-project"],
      ["", "other-project"],
    ] as const;
    for (const [cwd, kind] of cases) {
      const name = `.claude/projects/${encoded(workspaceRoot)}/${UUID}.jsonl`;
      await writeFiles(home, { [name]: transcript(cwd) });
      const identified = await source.identify(file(join(home, name)));
      expect([cwd, identified.kind]).toEqual([cwd, kind]);
      expect(identified).toEqual(
        kind === "session" ? { kind, id: `claude-${UUID}` } : { kind: "other-project" },
      );
    }
  });

  it("reads messages, and never changes a file", async () => {
    const { home, workspaceRoot, source } = await place();
    const name = `projects/${encoded(workspaceRoot)}/${UUID}.jsonl`;
    await writeFiles(join(home, ".claude"), { [name]: transcript(workspaceRoot), "a.json": "{}" });
    const before = treeOf(join(home, ".claude"));
    const [found] = (await source.list()).files;
    const path = join(home, ".claude", name);
    expect(found).toMatchObject({ path, size: readFileSync(path).length });
    await source.identify(file(path));
    expect(await collected(source.messages(file(path)))).toEqual([
      { role: "user", text: "Use pnpm." },
    ]);
    expect(treeOf(join(home, ".claude"))).toEqual(before);
  });

  it("never follows links", async () => {
    const { home, workspaceRoot, source } = await place();
    const root = join(home, ".claude/projects", encoded(workspaceRoot));
    await writeFiles(home, { [`real/${UUID}.jsonl`]: transcript(workspaceRoot) });
    await mkdir(root, { recursive: true });
    await symlink(join(home, `real/${UUID}.jsonl`), join(root, `${UUID}.jsonl`));
    expect(await source.list()).toMatchObject({
      files: [],
      notices: [{ code: "SOURCE_SKIPPED" }],
    });
    await rm(root, { recursive: true });
    await symlink(join(home, "real"), root);
    expect(await source.list()).toMatchObject({ files: [] });
  });
});
