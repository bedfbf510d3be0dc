import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTopicStore } from "../packages/memory/src/node/index.ts";
import { root, workspaceNode } from "../scripts/workspace.mjs";
import { interleaveCommands, type TimedCommand } from "./interleave.ts";
import type { Measurement } from "./measurement.ts";
import { readMeetings } from "./search/meetings.ts";
import { generateTopics, topicFile } from "./search/topic-texts.ts";
import { programOf } from "./startup.ts";

const TOPICS = 10_000;
const ROUNDS = 25;
const MAX_RATIO = 2.5;

/** Measures how long another agent waits for a hook with 10,000 topics, next to a Node process that does nothing. */
export async function benchHooks(): Promise<readonly (Measurement | string)[]> {
  const home = mkdtempSync(join(tmpdir(), "caliban-bench-"));
  try {
    const cwd = join(home, "app");
    const env = { HOME: home };
    await writeTopics(cwd, env);
    const refreshed = spawnSync(workspaceNode, [programOf(root), "hook", "refresh"], { cwd, env });
    if (refreshed.status !== 0) throw new Error("no notes stored; run `pnpm build` first");
    const measured = interleaveCommands({
      commands: [
        { name: "node -e 0", command: workspaceNode, args: ["-e", "0"] },
        hook("a call of another tool", () => event("PostToolUse", { tool_name: "TodoWrite" })),
        hook("a call without a note", () => command("session", "ls -la src")),
        hook("a call with a note", (round) => command(`session-${round}`, "npm install")),
        hook("a message", () => event("UserPromptSubmit", { prompt: MESSAGE })),
      ],
      rounds: ROUNDS,
      cwd,
      env,
    });
    const slowest = Math.max(...measured.map(({ ratio = 0 }) => ratio));
    const limit = `at most ${MAX_RATIO} x a bare Node: ${slowest <= MAX_RATIO ? "yes" : "no"}`;
    return [...measured, limit];
  } finally {
    rmSync(home, { recursive: true });
  }
}

const MESSAGE =
  "which button of the remote control turns on the speech recognition of the television?";

function hook(name: string, input: (round: number) => string): TimedCommand {
  return { name, command: workspaceNode, args: [programOf(root), "hook", "run", "claude"], input };
}

function command(session: string, line: string): string {
  const call = { tool_name: "Bash", tool_input: { command: line }, tool_response: { stdout: "" } };
  return event("PostToolUse", call, session);
}

function event(name: string, fields: object, session = "session"): string {
  return JSON.stringify({ hook_event_name: name, session_id: session, ...fields });
}

/** Generated ones, and one that applies to a command. */
async function writeTopics(cwd: string, env: { readonly HOME: string }): Promise<void> {
  mkdirSync(cwd);
  const { directory } = await openTopicStore({ workspace: cwd, env });
  mkdirSync(directory, { recursive: true });
  for (const topic of generateTopics(readMeetings(), TOPICS))
    writeFileSync(join(directory, `${topic.slug}.md`), topicFile(topic));
  const applying =
    '---\nname: use-pnpm\ndescription: Use pnpm\nmetadata:\n  type: project\napplies:\n  commands: ["npm *"]\n---\n\nNever npm.\n';
  writeFileSync(join(directory, "use-pnpm.md"), applying);
}
