import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { childEnvironment } from "../../../../../test/support/child-environment.ts";
import type { Answer } from "../../../../../test/support/model-server/answer.ts";
import {
  type ModelServer,
  startModelServer,
} from "../../../../../test/support/model-server/model-server.ts";
import {
  messagesOf,
  type NeutralMessage,
} from "../../../../../test/support/model-server/received-request.ts";
import { RUNTIME } from "../../../../../test/support/runtime.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeHome } from "../../../../../test/support/write-files.ts";

const BIN = join(import.meta.dirname, "../../../src/bin.ts");

interface TestHome {
  readonly home: string;
  readonly sessions: string;
  readonly server: ModelServer;
}

async function createHome(script: readonly Answer[]): Promise<TestHome> {
  const server = await startModelServer({ script });
  onTestFinished(server.close);
  const home = await temporaryDirectory();
  const { slug } = await writeHome(home, {
    ".config/caliban/settings.toml": `[models]\ndefault = "local/m"\n[providers.local]\nbase_url = "${server.baseUrl("chat-completions")}"\n`,
  });
  return { home, sessions: join(home, ".local/share/caliban/projects", slug, "sessions"), server };
}

function start({ home }: TestHome, ...args: readonly string[]): ChildProcess {
  const child = spawn(RUNTIME, ["--conditions=caliban:source", BIN, ...args], {
    cwd: join(home, "app"),
    env: childEnvironment(home),
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function run(at: TestHome, ...args: readonly string[]): Promise<string> {
  const child = start(at, ...args);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (data) => void (output += String(data)));
  }
  const [code] = (await once(child, "close")) as [number];
  return `${output}exit ${code}`;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

// Each test starts the whole program from source several times.
const SLOW = { timeout: 60_000 };
const SHELL = ["--allow", "shell"] as const;

it(
  "resumes a session whose process was killed during a tool call, and tells the model about the call",
  SLOW,
  async () => {
    const command = "touch started; sleep 20";
    const at = await createHome([
      { text: "I look.", toolCalls: [{ name: "Bash", input: { command }, id: "call_1" }] },
      { text: "So it was interrupted." },
      { text: "Fine." },
    ]);
    const first = start(at, "-p", "run it", ...SHELL);
    await until(() => read(join(at.home, "app/started")) !== undefined);
    first.kill("SIGKILL");
    await once(first, "exit");
    const file = (await readdir(at.sessions)).find((name) => name.endsWith(".jsonl")) ?? "";
    const before = read(join(at.sessions, file)) ?? "";

    const answer = await run(at, "-p", "what happened?", "--continue", ...SHELL);
    expect(answer).toContain("So it was interrupted.");
    expect(answer).toContain("Bash was interrupted before it finished");
    expect(answer).toContain("exit 0");
    const sent = sentIn(at, 2);
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(sent[1]?.toolCalls).toMatchObject([{ id: "call_1", name: "Bash", input: { command } }]);
    expect(sent[2]?.toolResults[0]?.text).toContain("was interrupted before it finished");

    // The same file was only appended to, and the lock of the killed process is gone.
    expect(await readdir(at.sessions)).toEqual([file]);
    expect(read(join(at.sessions, file))?.startsWith(before)).toBe(true);
    const again = await run(at, "-p", "thanks", "--continue");
    expect(again).toContain("Fine.");
    const roles = sentIn(at, 3);
    expect(roles.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
      "assistant",
      "user",
    ]);
  },
);

it("writes two files when two processes resume one session at the same time", SLOW, async () => {
  const command = "touch started; sleep 20";
  const at = await createHome([
    { text: "Hello." },
    { toolCalls: [{ name: "Bash", input: { command } }] },
    { text: "Alongside." },
  ]);
  await run(at, "-p", "hello");
  const [file = ""] = await readdir(at.sessions);
  const first = start(at, "-p", "run it", "--continue", ...SHELL);
  await until(() => read(join(at.home, "app/started")) !== undefined);
  const before = read(join(at.sessions, file));
  const second = await run(at, "-p", "and me?", "--resume", file.slice(0, 20));
  expect(second).toContain("another process is using this session");
  expect(second).toContain("Alongside.");
  expect(read(join(at.sessions, file))).toBe(before);
  first.kill("SIGKILL");
  await once(first, "exit");
  const files = (await readdir(at.sessions)).filter((name) => name.endsWith(".jsonl"));
  expect(files).toHaveLength(2);
  const other = files.find((name) => name !== file) ?? "";
  expect(read(join(at.sessions, other))).toContain(`"continues":"${file.slice(0, 20)}"`);
});

/** The messages of a request, counted from 1. */
function sentIn({ server }: TestHome, number: number): readonly NeutralMessage[] {
  return server.requests.slice(number - 1, number).flatMap(messagesOf);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
