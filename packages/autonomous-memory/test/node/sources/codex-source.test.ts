import { chmod, mkdir, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { withoutPrivileges } from "../../../../../test/support/without-privileges.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { codexSource } from "../../../src/node/sources/codex-source.ts";
import type { SessionSource, SourceFile } from "../../../src/transcript/session-source.ts";
import { collected } from "./collected.ts";
import { treeOf } from "./tree-of.ts";

const UUID = "019a0000-0000-7000-8000-00000000000";
const rollout = (number: number): string => `rollout-2026-11-16T17-10-45-${UUID}${number}.jsonl`;

interface Place {
  readonly home: string;
  readonly workspaceRoot: string;
  readonly source: SessionSource;
}

async function place(env: Readonly<Record<string, string>> = {}): Promise<Place> {
  const home = await temporaryDirectory();
  const workspaceRoot = join(home, "app");
  await mkdir(workspaceRoot);
  return { home, workspaceRoot, source: codexSource({ home, env, workspaceRoot }) };
}

function lines(meta: object, ...texts: readonly string[]): string {
  const id = `${UUID}1`;
  return [
    { timestamp: "x", type: "session_meta", payload: { id, timestamp: "x", ...meta } },
    ...texts.map((text) => ({
      timestamp: "x",
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
    })),
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");
}

const file = (path: string): SourceFile => ({ path, mtimeMs: 0, size: 0 });

describe("codexSource", () => {
  it("finds sessions by date, newest first, including archived ones", async () => {
    const { home, source } = await place();
    await writeFiles(join(home, ".codex"), {
      [`sessions/2025/12/31/${rollout(1)}`]: "",
      [`sessions/2026/11/09/${rollout(2)}`]: "",
      [`sessions/2026/11/16/${rollout(3)}`]: "",
      [`sessions/2026/11/16/notes.jsonl`]: "",
      [`sessions/2026/11/16/more/${rollout(4)}`]: "",
      [`sessions/other/11/16/${rollout(5)}`]: "",
      [`sessions/${rollout(6)}`]: "",
      [`archived_sessions/${rollout(7)}`]: "",
      "history.jsonl": "",
    });
    const { files, isComplete, notices } = await source.list();
    expect(files.map(({ path }) => basename(path))).toEqual([3, 2, 1, 6, 7].map(rollout));
    expect([isComplete, notices]).toEqual([true, []]);
    expect([source.name, source.forgetsRemoved]).toEqual(["codex", false]);
  });

  it("counts compressed sessions, and still considers the listing complete", async () => {
    const { home, source } = await place();
    await writeFiles(join(home, ".codex"), {
      [`sessions/2026/11/16/${rollout(1)}`]: "",
      [`sessions/2026/11/15/${rollout(2)}.zst`]: "",
    });
    expect(await source.list()).toMatchObject({
      files: [{}],
      isComplete: true,
      notices: [{ message: "skipped 1 compressed session of Codex, which cannot be read" }],
    });
    await writeFiles(join(home, ".codex"), {
      [`archived_sessions/${rollout(3)}.zst`]: "",
      [`archived_sessions/other.zst`]: "",
    });
    expect((await source.list()).notices).toMatchObject([
      { message: "skipped 2 compressed sessions of Codex, which cannot be read" },
    ]);
  });

  it.for(["codex", "./codex"])("never looks in %s, which is not absolute", async (value) => {
    const { home, source } = await place({ CODEX_HOME: value });
    await writeFiles(join(home, ".codex"), { [`sessions/${rollout(1)}`]: "" });
    expect(await source.list()).toMatchObject({
      files: [{}],
      notices: [{ message: "CODEX_HOME is ignored because it is not an absolute path" }],
    });
  });

  it("looks in CODEX_HOME, and finds nothing in an empty one", async () => {
    const configured = await temporaryDirectory();
    const { source } = await place({ CODEX_HOME: configured });
    expect(await source.list()).toEqual({ files: [], isComplete: true, notices: [] });
    await writeFiles(configured, { [`sessions/2026/11/16/${rollout(1)}`]: "" });
    expect((await source.list()).files).toHaveLength(1);
  });

  it("accepts sessions that a user started in the workspace", async () => {
    const { home, workspaceRoot, source } = await place();
    const path = join(home, ".codex/sessions/2026/11/16", rollout(1));
    const id = `codex-${UUID}1`;
    const cases = [
      [{ cwd: workspaceRoot }, { kind: "session", id }],
      [{ cwd: join(workspaceRoot, "gone") }, { kind: "session", id }],
      [
        { cwd: workspaceRoot, memory_mode: "disabled" },
        { kind: "opted-out", id },
      ],
      [{ cwd: workspaceRoot, source: { subagent: "review" } }, { kind: "other-project" }],
      [{ cwd: home }, { kind: "other-project" }],
      [{}, { kind: "other-project" }],
    ] as const;
    for (const [meta, identified] of cases) {
      await writeFiles(home, { [`.codex/sessions/2026/11/16/${rollout(1)}`]: lines(meta) });
      expect([meta, await source.identify(file(path))]).toEqual([meta, identified]);
    }
    const older = `{"id":"a","timestamp":"x"}\n${JSON.stringify({
      type: "message",
      role: "user",
      content: [
        {
          type: "input_text",
          text: `<environment_context>\n<cwd>${workspaceRoot}</cwd>\n</environment_context>`,
        },
      ],
    })}\n`;
    await writeFiles(home, { [`.codex/sessions/2026/11/16/${rollout(1)}`]: older });
    expect(await source.identify(file(path))).toEqual({ kind: "session", id });
  });

  it("reads messages, and never changes a file", async () => {
    const { home, workspaceRoot, source } = await place();
    const name = `sessions/2026/11/16/${rollout(1)}`;
    await writeFiles(join(home, ".codex"), { [name]: lines({ cwd: workspaceRoot }, "a", "b") });
    const before = treeOf(join(home, ".codex"));
    const [found] = (await source.list()).files;
    const path = join(home, ".codex", name);
    expect(found).toMatchObject({ path });
    await source.identify(file(path));
    const messages = await collected(source.messages(file(path)));
    expect(messages).toEqual([
      { role: "user", text: "a" },
      { role: "user", text: "b" },
    ]);
    expect(treeOf(join(home, ".codex"))).toEqual(before);
  });

  it("reports an unreadable day as an incomplete listing, and does not follow links", async () => {
    const { home, source } = await place();
    const days = join(home, ".codex/sessions/2026/11");
    await writeFiles(days, { [`15/${rollout(1)}`]: "", [`16/${rollout(2)}`]: "" });
    await symlink(join(days, "15"), join(days, "14"));
    expect((await source.list()).files).toHaveLength(2);
    await chmod(home, 0o755);
    await chmod(join(days, "16"), 0o000);
    onTestFinished(() => chmod(join(days, "16"), 0o700));
    const listing = await withoutPrivileges(() => source.list());
    expect(listing.files.map(({ path }) => basename(path))).toEqual([rollout(1)]);
    expect(listing.isComplete).toBe(false);
    expect(listing.notices).toMatchObject([{ path: join(days, "16") }]);
  });
});
