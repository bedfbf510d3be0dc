import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { childEnvironment } from "./support/child-environment.ts";
import { until } from "./support/mcp-process.ts";
import type { Answer } from "./support/model-server/answer.ts";
import {
  type ModelServer,
  type Script,
  startModelServer,
} from "./support/model-server/model-server.ts";
import {
  messagesOf,
  type Protocol,
  systemOf,
  toolNamesOf,
} from "./support/model-server/received-request.ts";
import { PROGRAM, type Ended, waitForExit } from "./support/run-caliban.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

interface Provider {
  readonly protocol: Protocol;
  readonly model: string;
  /** The name of its table in the settings. */
  readonly name: string;
  readonly keyVariable: string;
}

/** One provider for each protocol. */
const PROVIDERS: readonly Provider[] = [
  {
    protocol: "anthropic",
    model: "anthropic/claude-sonnet-5-5",
    name: "anthropic",
    keyVariable: "ANTHROPIC_API_KEY",
  },
  {
    protocol: "openai-responses",
    model: "openai/gpt-6.1-sol",
    name: "openai",
    keyVariable: "OPENAI_API_KEY",
  },
  {
    protocol: "chat-completions",
    model: "ollama/qwen",
    name: "ollama",
    keyVariable: "OLLAMA_KEY",
  },
  {
    protocol: "gemini",
    model: "google/gemini-pro-latest",
    name: "google",
    keyVariable: "GEMINI_API_KEY",
  },
];

// Does not look like a provider's key, so only code that knows its value can mask it.
const KEY = "correct-horse-battery-staple";

interface TestProject {
  readonly home: string;
  readonly project: string;
  readonly server: ModelServer;
  readonly start: (...args: readonly string[]) => ChildProcess;
  readonly caliban: (...args: readonly string[]) => Promise<Ended>;
}

/** Creates a project with a file in every memory tier and a provider served by a local server. */
async function createProject(provider: Provider, script: Script): Promise<TestProject> {
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  const home = await temporaryDirectory();
  const project = join(home, "app");
  const config = join(home, ".config/caliban");
  await mkdir(config, { recursive: true });
  await mkdir(join(project, "src"), { recursive: true });
  await writeFile(join(config, "CLAUDE.md"), "Be brief. Ω\n");
  await writeFile(join(project, "CLAUDE.md"), 'Use pnpm. "quoted" <tag> \\ back\n');
  await writeFile(join(project, "src/CLAUDE.md"), "Sources are strict.\n");
  await writeFile(join(project, "src/a.ts"), "export const a = 1;\n");
  const { name, protocol, keyVariable, model } = provider;
  await writeFile(
    join(config, "settings.toml"),
    `[models]\ndefault = "${model}"\n[providers.${name}]\nbase_url = "${server.baseUrl(protocol)}"\napi_key_env = "${keyVariable}"\n`,
  );
  const start = (...args: readonly string[]): ChildProcess =>
    spawn(PROGRAM[0], [...PROGRAM.slice(1), ...args], {
      cwd: project,
      env: { ...childEnvironment(home), [keyVariable]: KEY },
      stdio: ["ignore", "pipe", "pipe"],
    });
  return { home, project, server, start, caliban: (...args) => waitForExit(start(...args)) };
}

function sessionDirectory({ home }: TestProject): string {
  const projects = join(home, ".local/share/caliban/projects");
  const [slug = ""] = readdirSync(projects);
  return join(projects, slug, "sessions");
}

const sessionFiles = (project: TestProject): readonly string[] =>
  readdirSync(sessionDirectory(project)).filter((name) => name.endsWith(".jsonl"));

/** Runs a check for every case at the same time, and returns the results by the name of the case. */
async function forEachCase<Case, Result>(
  cases: Readonly<Record<string, Case>>,
  check: (value: Case) => Promise<Result>,
): Promise<Readonly<Record<string, Result>>> {
  const results = Object.entries(cases).map(
    async ([name, value]) => [name, await check(value)] as const,
  );
  return Object.fromEntries(await Promise.all(results));
}

const FULL = process.env["FULL"] === "1";

/** One of the cases, another one for each index; all of them with FULL=1. Each case has a unit test for every protocol. */
function sample<Case>(
  cases: Readonly<Record<string, Case>>,
  index: number,
): Readonly<Record<string, Case>> {
  const entries = Object.entries(cases);
  return FULL ? cases : Object.fromEntries([entries[index % entries.length] ?? []]);
}

const ERRORS: Readonly<Record<string, Answer>> = {
  400: { status: 400, error: "no such field" },
  429: { status: 429, headers: { "retry-after": "3600" } },
  500: { status: 500, headers: { "retry-after": "3600" } },
  529: { status: 529, headers: { "retry-after": "3600" } },
};

describe.each(PROVIDERS)("over $protocol", (provider) => {
  it(`sends the prompt over ${provider.protocol} byte for byte as \`caliban prompt\` prints it, and prints the answer`, async () => {
    const { caliban, server } = await createProject(provider, [{ text: "Good day, Ω." }]);
    expect(await caliban("-p", "hello")).toMatchObject({ exitCode: 0, stdout: "Good day, Ω.\n" });
    const { stdout: prompt } = await caliban("prompt");
    const [request] = server.requests;
    expect(request && systemOf(request)).toBe(prompt);
    expect(prompt).toContain('Use pnpm. "quoted" <tag> \\ back\n');
    expect(request && toolNamesOf(request)).toEqual([
      "Bash",
      "BashOutput",
      "DeleteMemoryTopic",
      "Edit",
      "ExitPlanMode",
      "Glob",
      "Grep",
      "MemorySearch",
      "Read",
      "ReadMemoryTopic",
      "Task",
      "TodoWrite",
      "WebFetch",
      "Write",
      "WriteMemoryTopic",
    ]);
    expect(JSON.stringify(request?.headers)).toContain(KEY);
  });

  it(`runs parallel tool calls over ${provider.protocol} and returns their results with nested instructions`, async () => {
    const { caliban, server } = await createProject(provider, [
      {
        text: "I look.",
        toolCalls: [
          { name: "Read", input: { file_path: "src/a.ts" } },
          { name: "Glob", input: { pattern: "**/*.ts" } },
        ],
      },
      { text: "It exports a." },
    ]);
    const { exitCode, stdout } = await caliban("-p", "what is in src?");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "It exports a.\n" });
    const second = server.requests[1];
    const results = second ? messagesOf(second).flatMap(({ toolResults }) => toolResults) : [];
    expect(results.map(({ text }) => text)).toEqual([
      expect.stringMatching(/export const a = 1;[^]*Sources are strict\./),
      expect.stringContaining("src/a.ts"),
    ]);
  });

  it(`reports an HTTP error of ${provider.protocol} without the key and exits with 5`, async () => {
    const index = PROVIDERS.indexOf(provider);
    const answers = { 401: { status: 401, error: `bad key ${KEY}` }, ...sample(ERRORS, index) };
    const observed = await forEachCase(answers, async (answer) => {
      const { caliban, server } = await createProject(provider, () => answer);
      const { exitCode, stdout, stderr } = await caliban("-p", "hello");
      return {
        exitCode,
        stdout,
        namesProvider: stderr.includes(provider.name),
        showsKey: stderr.includes(KEY),
        showsStack: stderr.includes("at "),
        requests: server.requests.length,
      };
    });
    const expected = {
      exitCode: 5,
      stdout: "",
      namesProvider: true,
      showsKey: false,
      showsStack: false,
      requests: 1,
    };
    expect(observed).toEqual(await forEachCase(answers, async () => expected));
  });

  it(`reads an answer over ${provider.protocol} that arrives slowly and in small pieces`, async () => {
    const text = "Ω ".repeat(40);
    const answers: Readonly<Record<string, Answer>> = {
      "in small pieces": { text, chunkBytes: 7 },
      slowly: { text: ["a", "b", "c"], slowMs: 30 },
    };
    const printed = await forEachCase(answers, async (answer) => {
      const { caliban } = await createProject(provider, [answer]);
      return (await caliban("-p", "hello")).stdout.trim();
    });
    expect(printed).toEqual({ "in small pieces": text.trim(), slowly: "abc" });
  });
});

it("sends a request again after an overloaded server, a reset connection or a truncated stream, over every protocol", async () => {
  const failures: Readonly<Record<string, Answer>> = {
    "overloaded server": { status: 529 },
    "reset connection": { text: "half an answer that", cutAfterBytes: 200 },
    "truncated stream": { text: "half an answer that", withoutEnd: true },
  };
  const cases = Object.fromEntries(
    PROVIDERS.flatMap((provider, index) =>
      Object.entries(sample(failures, index)).map(([name, failure]) => [
        `${provider.protocol}: ${name}`,
        { provider, failure },
      ]),
    ),
  );
  // All at once, because each of them waits a second before it sends the request again.
  const observed = await forEachCase(cases, async ({ provider, failure }) => {
    const { caliban } = await createProject(provider, [failure, { text: "Whole." }]);
    const { exitCode, stdout } = await caliban("-p", "hello");
    return { exitCode, stdout };
  });
  const expected = { exitCode: 0, stdout: "Whole.\n" };
  expect(observed).toEqual(await forEachCase(cases, async () => expected));
});

const [ANTHROPIC] = PROVIDERS as readonly [Provider];

describe("a conversation with a model", () => {
  it("keeps tools and memory inside the cached part of a request", async () => {
    const { caliban, server } = await createProject(ANTHROPIC, [{ text: "ok" }]);
    await caliban("-p", "hello");
    const system = server.requests[0]?.body["system"] as {
      readonly text: string;
      readonly cache_control?: unknown;
    }[];
    const marked = system.findLastIndex((part) => part.cache_control !== undefined);
    const cached = system.slice(0, marked + 1).map(({ text }) => text);
    expect(cached.join("")).toContain("<global-claude-md");
    expect(cached.join("")).toContain("<project-claude-md");
  });

  it("keeps the API key out of a command's environment, a tool result and the session file", async () => {
    const project = await createProject(ANTHROPIC, [
      {
        toolCalls: [
          { name: "Bash", input: { command: "env; echo $ANTHROPIC_API_KEY; cat key.txt" } },
        ],
      },
      { text: "done" },
    ]);
    await writeFile(join(project.project, "key.txt"), `the key: ${KEY}\n`);
    const { stderr } = await project.caliban("-p", "show", "--allow", "shell.run");
    const second = project.server.requests[1];
    const [result] = second ? messagesOf(second).flatMap(({ toolResults }) => toolResults) : [];
    expect(result?.text).toContain("HOME=");
    expect(result?.text).toContain("[masked]");
    expect(result?.text).not.toContain("ANTHROPIC_API_KEY=");
    const stored = sessionFiles(project).map((name) =>
      readFileSync(join(sessionDirectory(project), name), "utf8"),
    );
    for (const text of [second?.text ?? "", stderr, ...stored]) expect(text).not.toContain(KEY);
  });

  it("denies a call that needs an answer, and names the flag that allows it", async () => {
    const { caliban, project, server } = await createProject(ANTHROPIC, [
      { toolCalls: [{ name: "Write", input: { file_path: "b.txt", content: "b" } }] },
      { text: "I could not." },
    ]);
    const { exitCode, stdout } = await caliban("-p", "write it");
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "I could not.\n" });
    expect(existsSync(join(project, "b.txt"))).toBe(false);
    expect(server.requests[1]?.text).toContain("--allow");
  });
});

const writeTopic = (name: string) => ({
  name: "WriteMemoryTopic",
  input: { name, description: "a fact", type: "project", body: `${name}.` },
});

it("resumes a session whose process was killed while another process wrote to the same project", async () => {
  const project = await createProject(ANTHROPIC, (request) => {
    const last = messagesOf(request).at(-1);
    if (last?.text.includes("slowly") === true) {
      const command = "echo begun > begun.txt; sleep 30";
      return {
        text: "I write.",
        toolCalls: [{ name: "Bash", input: { command } }, writeTopic("one")],
      };
    }
    if (last?.text.includes("other") === true) return { toolCalls: [writeTopic("two")] };
    return { text: "Done." };
  });
  const victim = project.start("-p", "work slowly", "--allow", "shell.run");
  await until(() => existsSync(join(project.project, "begun.txt")));
  const other = project.caliban("-p", "the other one");
  victim.kill("SIGKILL");
  expect(await other).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  const killed = sessionFiles(project).find((name) =>
    readFileSync(join(sessionDirectory(project), name), "utf8").includes("work slowly"),
  );
  const id = killed?.replace(".jsonl", "") ?? "";
  const resumed = await project.caliban("-p", "go on", "--resume", id);
  expect(resumed).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  expect(resumed.stderr).not.toContain("bug");
  const request = project.server.requests.at(-1);
  const messages = request ? messagesOf(request) : [];
  const calls = messages.flatMap(({ toolCalls }) => toolCalls.map(({ id: call }) => call));
  const results = messages.flatMap(({ toolResults }) => toolResults.map(({ id: call }) => call));
  expect(calls).toHaveLength(2);
  expect(results).toEqual(calls);
  expect(await project.caliban("memory", "doctor")).toMatchObject({ exitCode: 0 });
  expect((await project.caliban("memory", "list")).stdout).toContain("two");
});
