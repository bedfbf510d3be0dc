import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSessionLogs, type SessionLog, type SessionLogs } from "@caliban/sessions/node";
import type { Disk } from "@caliban/common/node";
import { createFileTools } from "@caliban/tools-builtin/node";
import { createToolRunner } from "@caliban/agent-core";
import { type Checkpoints, createCheckpoints } from "../../src/checkpoints/checkpoints.ts";
import { createInspection, type ShownStep } from "../../src/checkpoints/inspect-files.ts";
import type { RewoundFiles } from "../../src/checkpoints/rewind-files.ts";
import { rewindFiles } from "../../src/checkpoints/rewind-files.ts";

/** Names of files in the test, each with its content before the tools, and what they write. */
export const FILES = [
  ["a.txt", "a old", "a new"],
  ["b.txt", "b old", "b new"],
  ["sub/c.txt", undefined, "c new"],
] as const;

/** A workspace with a stored session whose tools changed some files. */
export interface StoredSession {
  readonly root: string;
  readonly log: SessionLog;
  readonly notices: readonly string[];
  /** Sends a message, and lets tools write files. */
  readonly turn: (text: string, files: readonly (readonly [string, string])[]) => Promise<void>;
  readonly stepsTo: (to: string) => Promise<readonly ShownStep[]>;
  /** Goes back to a point, and records it. */
  readonly rewind: (to: string) => Promise<RewoundFiles>;
  readonly checkpoints: Checkpoints;
  readonly close: () => Promise<void>;
}

const NOW = Date.parse("2026-11-16T12:00:00Z");

function sessionLogs(home: string): SessionLogs {
  const facts = { workspace: join(home, "app"), cwd: join(home, "app"), version: "1.2.3" };
  const directory = join(home, "sessions");
  return createSessionLogs({ directory, facts, notify: () => undefined, now: () => NOW });
}

/** Opens the session that the last process left, or a new one. */
export async function openStoredSession(
  home: string,
  more: Partial<Parameters<typeof createCheckpoints>[0]> & { readonly disk?: Disk } = {},
): Promise<StoredSession> {
  const root = join(home, "app");
  mkdirSync(root, { recursive: true });
  const logs = sessionLogs(home);
  const id = logs.find({ kind: "latest" });
  const log = id === undefined ? logs.begin("a/b") : (await logs.resume(id)).log;
  const notices: string[] = [];
  const checkpoints = createCheckpoints({
    directory: join(home, "checkpoints"),
    log: () => log,
    notify: (message) => void notices.push(message),
    now: () => NOW,
    ...more,
  });
  const tools = createFileTools({ root, env: {}, onChange: checkpoints.onChange });
  const runner = createToolRunner({ tools, ask: async () => "once" });
  const call = async (name: string, input: object): Promise<void> => {
    const { text, isError } = await runner.run({ name, input });
    if (name === "Write" && isError === true) throw new Error(text);
  };
  const stepsTo: StoredSession["stepsTo"] = async (to) => {
    const inspect = createInspection(
      {
        environment: { platform: "linux", home },
        workspace: { root },
        settings: { values: { additional_directories: [] } },
        addedDirectories: () => [],
      },
      checkpoints.open(),
    );
    const { steps, problem } = await inspect(to);
    if (problem !== undefined) throw new Error(problem);
    return steps;
  };
  return {
    root,
    log,
    notices,
    checkpoints,
    stepsTo,
    turn: async (text, files) => {
      log.record({ type: "message", message: { role: "user", text } });
      await log.ready();
      for (const [file, content] of files) {
        await call("Read", { file_path: file });
        await call("Write", { file_path: file, content });
      }
      const parts = [{ type: "text", text: "Done." }] as const;
      log.record({ type: "message", message: { role: "assistant", model: "a/b", parts } });
    },
    rewind: async (to) => {
      const opened = checkpoints.open();
      if (opened === undefined) throw new Error("no checkpoints");
      const steps = (await stepsTo(to)).filter(({ step }) => step !== "none");
      const number = opened.position().rewinds + 1;
      const input = { steps, to, what: "both", number, nowMs: NOW } as const;
      const files = await rewindFiles(opened, input, more.disk);
      log.record({ type: "rewound", id: `r${number}`, to, what: "both" });
      await log.ready();
      return files;
    },
    close: log.close,
  };
}

/** Creates the files, and a session that has changed all of them with its message. */
export async function prepareSession(home: string): Promise<void> {
  const session = await openStoredSession(home);
  for (const [name, before] of FILES)
    if (before !== undefined) writeFileSync(join(session.root, name), before);
  await session.turn(
    "first",
    FILES.map(([name, , after]) => [name, after] as const),
  );
  await session.close();
}
