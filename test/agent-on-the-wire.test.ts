import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "../scripts/workspace.mjs";
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
import { temporaryDirectory } from "./support/temporary-directory.ts";

const BIN = join(root, "apps/caliban/dist/bin.js");

interface Setting {
  readonly protocol: Protocol;
  readonly model: string;
  /** The table of the provider without its address. */
  readonly provider: string;
  readonly keyVariable: string;
}

/** The real providers, each in the protocol that it speaks. */
const PROVIDERS: readonly Setting[] = [
  {
    protocol: "anthropic",
    model: "anthropic/claude-sonnet-5-5",
    provider: "anthropic",
    keyVariable: "ANTHROPIC_API_KEY",
  },
  {
    protocol: "openai-responses",
    model: "openai/gpt-6.1-sol",
    provider: "openai",
    keyVariable: "OPENAI_API_KEY",
  },
  {
    protocol: "chat-completions",
    model: "ollama/qwen",
    provider: "ollama",
    keyVariable: "OLLAMA_KEY",
  },
  {
    protocol: "gemini",
    model: "google/gemini-pro-latest",
    provider: "google",
    keyVariable: "GEMINI_API_KEY",
  },
];

// Of no shape that a provider's keys have: what hides it must know it.
const KEY = "correct-horse-battery-staple";

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Place {
  readonly home: string;
  readonly project: string;
  readonly server: ModelServer;
  readonly start: (...args: readonly string[]) => ChildProcess;
  readonly caliban: (...args: readonly string[]) => Promise<Ended>;
}

/** A home with every memory tier, and a provider whose address is ours. */
async function place(setting: Setting, script: Script): Promise<Place> {
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
  const { provider, protocol, keyVariable, model } = setting;
  await writeFile(
    join(config, "settings.toml"),
    `[models]\ndefault = "${model}"\n[providers.${provider}]\nbase_url = "${server.baseUrl(protocol)}"\napi_key_env = "${keyVariable}"\n`,
  );
  const start = (...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [BIN, ...args], {
      cwd: project,
      env: { HOME: home, [keyVariable]: KEY, PATH: process.env["PATH"] },
      stdio: ["ignore", "pipe", "pipe"],
    });
  return { home, project, server, start, caliban: (...args) => ended(start(...args)) };
}

async function ended(child: ChildProcess): Promise<Ended> {
  const printed = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => (printed.stdout += String(chunk)));
  child.stderr?.on("data", (chunk) => (printed.stderr += String(chunk)));
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, ...printed };
}

const sessionsOf = ({ home }: Place): string => {
  const projects = join(home, ".local/share/caliban/projects");
  const [slug = ""] = readdirSync(projects);
  return join(projects, slug, "sessions");
};

const sessionFiles = (where: Place): readonly string[] =>
  readdirSync(sessionsOf(where)).filter((name) => name.endsWith(".jsonl"));

describe.each(PROVIDERS)("over $protocol", (setting) => {
  it("the prompt arrives byte for byte as `caliban prompt` prints it, and the answer comes back", async () => {
    const where = await place(setting, [{ text: "Good day, Ω." }]);
    expect(await where.caliban("-p", "hello")).toMatchObject({
      exitCode: 0,
      stdout: "Good day, Ω.\n",
    });
    const { stdout: prompt } = await where.caliban("prompt");
    const [request] = where.server.requests;
    expect(request && systemOf(request)).toBe(prompt);
    expect(prompt).toContain('Use pnpm. "quoted" <tag> \\ back\n');
    expect(request && toolNamesOf(request)).toEqual([
      "Bash",
      "DeleteMemoryTopic",
      "Edit",
      "Glob",
      "Grep",
      "MemorySearch",
      "Read",
      "ReadMemoryTopic",
      "Write",
      "WriteMemoryTopic",
    ]);
    expect(JSON.stringify(request?.headers)).toContain(KEY);
  });

  it("runs parallel calls, brings nested instructions along, and goes on with the results", async () => {
    const where = await place(setting, [
      {
        text: "I look.",
        toolCalls: [
          { name: "Read", input: { file_path: "src/a.ts" } },
          { name: "Glob", input: { pattern: "**/*.ts" } },
        ],
      },
      { text: "It exports a." },
    ]);
    const { exitCode, stdout } = await where.caliban("-p", "what is in src?");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "It exports a.\n" });
    const second = where.server.requests[1];
    const results = second ? messagesOf(second).flatMap(({ toolResults }) => toolResults) : [];
    expect(results.map(({ text }) => text)).toEqual([
      expect.stringMatching(/export const a = 1;[^]*Sources are strict\./),
      expect.stringContaining("src/a.ts"),
    ]);
  });

  it.each<readonly [string, Answer]>([
    ["400", { status: 400, error: "no such field" }],
    ["401", { status: 401, error: `bad key ${KEY}` }],
    ["429", { status: 429, headers: { "retry-after": "3600" } }],
    ["500", { status: 500, headers: { "retry-after": "3600" } }],
    ["529", { status: 529, headers: { "retry-after": "3600" } }],
  ])("says in words what %s is about, without the key, and ends with 5", async (_, answer) => {
    const where = await place(setting, () => answer);
    const { exitCode, stdout, stderr } = await where.caliban("-p", "hello");
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: "" });
    expect(stderr).toContain(setting.provider);
    expect(stderr).not.toContain(KEY);
    expect(stderr).not.toContain("at ");
    expect(where.server.requests).toHaveLength(1);
  });

  it.each<readonly [string, Answer]>([
    ["an overloaded server", { status: 529 }],
    ["a stream that is cut", { text: "half an answer that", cutAfterBytes: 200 }],
    ["a stream that just ends", { text: "half an answer that", withoutEnd: true }],
  ])("asks again after %s", async (_, answer) => {
    const where = await place(setting, [answer, { text: "Whole." }]);
    const { exitCode, stdout } = await where.caliban("-p", "hello");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Whole.\n" });
  });

  it("takes a slow stream in odd pieces as it is", async () => {
    const where = await place(setting, [{ text: "Ω ".repeat(40), chunkBytes: 7 }, { text: "x" }]);
    expect((await where.caliban("-p", "hello")).stdout.trim()).toBe("Ω ".repeat(40).trim());
    const slow = await place(setting, [{ text: ["a", "b", "c"], slowMs: 30 }]);
    expect((await slow.caliban("-p", "hello")).stdout).toBe("abc\n");
  });
});

const [ANTHROPIC] = PROVIDERS as readonly [Setting];

describe("a conversation with a model", () => {
  it("keeps tools and memory inside the cached part", async () => {
    const where = await place(ANTHROPIC, [{ text: "ok" }]);
    await where.caliban("-p", "hello");
    const body = where.server.requests[0]?.body;
    const system = body?.["system"] as {
      readonly text: string;
      readonly cache_control?: unknown;
    }[];
    const marked = system.findLastIndex((part) => part.cache_control !== undefined);
    const cached = system.slice(0, marked + 1).map(({ text }) => text);
    expect(cached.join("")).toContain("<global-claude-md");
    expect(cached.join("")).toContain("<project-claude-md");
  });

  it("lets no key into the environment of a command, a result or a session file", async () => {
    const where = await place(ANTHROPIC, [
      {
        toolCalls: [
          {
            name: "Bash",
            input: { command: "env; echo $ANTHROPIC_API_KEY; cat key.txt" },
          },
        ],
      },
      { text: "done" },
    ]);
    await writeFile(join(where.project, "key.txt"), `the key: ${KEY}\n`);
    const { stderr } = await where.caliban("-p", "show", "--allow", "shell.run");
    const second = where.server.requests[1];
    const [result] = second ? messagesOf(second).flatMap(({ toolResults }) => toolResults) : [];
    expect(result?.text).toContain("HOME=");
    expect(result?.text).toContain("[masked]");
    expect(result?.text).not.toContain("ANTHROPIC_API_KEY=");
    const kept = sessionFiles(where).map((name) =>
      readFileSync(join(sessionsOf(where), name), "utf8"),
    );
    for (const text of [second?.text ?? "", stderr, ...kept]) expect(text).not.toContain(KEY);
  });

  it("asks about nothing and denies in words what would need an answer", async () => {
    const where = await place(ANTHROPIC, [
      { toolCalls: [{ name: "Write", input: { file_path: "b.txt", content: "b" } }] },
      { text: "I could not." },
    ]);
    const { exitCode, stdout } = await where.caliban("-p", "write it");
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "I could not.\n" });
    expect(existsSync(join(where.project, "b.txt"))).toBe(false);
    const second = where.server.requests[1];
    expect(second?.text).toContain("--allow");
  });
});

describe("two processes in one project", () => {
  it("do not harm each other when one is killed in mid-turn, and its session goes on", async () => {
    const where = await place(ANTHROPIC, (request) => {
      const last = messagesOf(request).at(-1);
      if (last?.text.includes("slowly") === true) {
        return {
          text: "I write.",
          toolCalls: [
            { name: "Bash", input: { command: "echo begun > begun.txt; sleep 30" } },
            {
              name: "WriteMemoryTopic",
              input: { name: "one", description: "a fact", type: "project", body: "One." },
            },
          ],
        };
      }
      if (last?.text.includes("other") === true) {
        return {
          toolCalls: [
            {
              name: "WriteMemoryTopic",
              input: { name: "two", description: "a fact", type: "project", body: "Two." },
            },
          ],
        };
      }
      return { text: "Done." };
    });
    const victim = where.start("-p", "work slowly", "--allow", "shell.run");
    while (!existsSync(join(where.project, "begun.txt"))) {
      await new Promise((resolve) => void setTimeout(resolve, 10));
    }
    const other = where.caliban("-p", "the other one");
    victim.kill("SIGKILL");
    expect(await other).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
    const killed = sessionFiles(where).find((name) =>
      readFileSync(join(sessionsOf(where), name), "utf8").includes("work slowly"),
    );
    const id = killed?.replace(".jsonl", "") ?? "";
    const resumed = await where.caliban("-p", "go on", "--resume", id);
    expect(resumed).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
    expect(resumed.stderr).not.toContain("bug");
    const request = where.server.requests.at(-1);
    const messages = request ? messagesOf(request) : [];
    const calls = messages.flatMap(({ toolCalls }) => toolCalls.map(({ id: call }) => call));
    const results = messages.flatMap(({ toolResults }) => toolResults.map(({ id: call }) => call));
    expect(calls).toHaveLength(2);
    expect(results).toEqual(calls);
    const doctor = await where.caliban("memory", "doctor");
    expect(doctor).toMatchObject({ exitCode: 0 });
    const list = await where.caliban("memory", "list");
    expect(list.stdout).toContain("two");
  });
});
