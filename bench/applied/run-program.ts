import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { estimateTokens } from "../../packages/common/src/index.ts";
import { root, workspaceNode } from "../../scripts/workspace.mjs";
import type { ScriptedCall } from "../../test/support/model-server/answer.ts";
import {
  type ModelServer,
  startModelServer,
} from "../../test/support/model-server/model-server.ts";
import { programOf } from "../startup.ts";
import type { AppliedCase, SessionLines } from "./case.ts";
import { writeSessions } from "./project.ts";
import { type CaseResult, resultOf, type ShownNote } from "./run-cases.ts";

/**
 * Runs the built program on each case: a process of its own, the message of the user, the first call of the agent. What
 * counts is in the requests that the model receives.
 */
export async function runProgramOnCases(
  sessions: readonly SessionLines[],
  cases: readonly AppliedCase[],
): Promise<readonly CaseResult[]> {
  const home = mkdtempSync(join(tmpdir(), "caliban-applied-program-"));
  let current: AppliedCase | undefined;
  const server = await startModelServer({
    script: (request) =>
      current === undefined || request.text.includes('"tool_result"')
        ? { text: "Done." }
        : { toolCalls: [callOf(current, join(home, "app"))] },
  });
  try {
    writeProject(home, server, sessions);
    const results: CaseResult[] = [];
    for (const each of [WARM_UP, ...cases]) {
      current = each;
      const before = server.requests.length;
      writeFileOf(each, join(home, "app"));
      await runOnce(home, each.message);
      const last = server.requests.slice(before).at(-1);
      if (last === undefined) throw new Error("no request: run `pnpm build` first");
      if (each !== WARM_UP) results.push(resultOf(each, notesIn(last.body)));
    }
    return results;
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Builds the index, as the first session of a user does. */
const WARM_UP: AppliedCase = { name: "warm-up", sessions: [], message: "hello", call: "run true" };

function writeProject(home: string, server: ModelServer, sessions: readonly SessionLines[]): void {
  const workspace = join(home, "app");
  const slug = workspace.slice(1).replaceAll("/", "-");
  const directory = join(home, ".local/share/caliban/projects", slug, "sessions");
  const config = join(home, ".config/caliban");
  for (const each of [workspace, directory, config, join(home, "bin")])
    mkdirSync(each, { recursive: true, mode: 0o700 });
  // Commands of the cases must not find their programs.
  for (const shell of ["bash", "sh"]) symlinkSync(`/bin/${shell}`, join(home, "bin", shell));
  writeSessions(directory, sessions, workspace);
  writeFileSync(
    join(config, "settings.toml"),
    `[providers.anthropic]\nbase_url = "${server.baseUrl("anthropic")}"\n\n[sandbox]\nmode = "off"\n`,
  );
}

function writeFileOf({ call, text = "" }: AppliedCase, workspace: string): void {
  if (!/^(read|edit) /.test(call)) return;
  const path = join(workspace, targetOf(call));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** An agent reads a file before it edits it. */
function callOf({ call, text = "" }: AppliedCase, workspace: string): ScriptedCall {
  const target = targetOf(call);
  if (call.startsWith("run ")) return { name: "Bash", input: { command: target } };
  const file_path = join(workspace, target);
  return call.startsWith("create ")
    ? { name: "Write", input: { file_path, content: text } }
    : { name: "Read", input: { file_path } };
}

function targetOf(call: string): string {
  return call.slice(call.indexOf(" ") + 1);
}

async function runOnce(home: string, message: string): Promise<void> {
  const args = [programOf(root), "-p", message, "--no-save", "--mode", "yolo"];
  const child = spawn(workspaceNode, args, {
    cwd: join(home, "app"),
    env: { HOME: home, PATH: join(home, "bin"), ANTHROPIC_API_KEY: "none-at-all" },
    stdio: "ignore",
  });
  await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}

/** The texts between the tags of notes in everything that the model received. */
function notesIn(body: unknown): readonly ShownNote[] {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect((body as { readonly messages?: unknown }).messages);
  return texts.flatMap((text) =>
    [...text.matchAll(/<memory-note [^>]*>\n(.*?)\n<\/memory-note>/gsu)].map(([, note = ""]) => ({
      text: note,
      tokens: estimateTokens(note),
    })),
  );
}
