import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, workspaceNode } from "../../scripts/workspace.mjs";
import type { Answer } from "../../test/support/model-server/answer.ts";
import {
  type ModelServer,
  startModelServer,
} from "../../test/support/model-server/model-server.ts";
import { systemOf } from "../../test/support/model-server/received-request.ts";
import type { Measured } from "../measured.ts";
import { median } from "../median.ts";
import type { CapturedRequest } from "./captured-request.ts";
import { watchProcess } from "./watch-process.ts";

const BIN = join(root, "apps/caliban/dist/bin.js");
const ROUNDS = 25;
const READS = 20;

/** From the start of a process to its first request, against a bare fetch and against `ai` with the same request. */
export async function benchFirstRequest(): Promise<readonly Measured[]> {
  const home = mkdtempSync(join(tmpdir(), "caliban-bench-"));
  const seen: Seen = { arrivals: [], ends: [], answers: () => PONG };
  const server = await startModelServer({
    script: (request) => {
      const index = seen.arrivals.push(performance.now()) - 1;
      void request.closed.then(() => void seen.ends.push(performance.now()));
      return seen.answers(index);
    },
  });
  try {
    writeHome(home, server);
    const programs = await writePrograms(home, server);
    const rounds = await takeRounds(programs, seen, home);
    return [...rows(programs, rounds), await betweenRequests(home, seen)];
  } finally {
    await server.close();
    rmSync(home, { recursive: true });
  }
}

/** What the server saw of the process that runs now. */
interface Seen {
  arrivals: number[];
  ends: number[];
  answers: (index: number) => Answer;
}

async function takeRounds(
  programs: readonly Program[],
  seen: Seen,
  home: string,
): Promise<readonly (readonly Once[])[]> {
  const rounds: (readonly Once[])[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const times: Once[] = [];
    for (const { args } of programs) {
      seen.arrivals = [];
      const started = performance.now();
      // oxlint-disable-next-line no-await-in-loop -- one after the other, or they would disturb each other
      const { peakMegabytes } = await watchProcess(workspaceNode, args, environment(home));
      times.push({ firstMs: (seen.arrivals[0] ?? Number.NaN) - started, peakMegabytes });
    }
    // The first round fills the caches.
    if (round >= 0) rounds.push(times);
  }
  return rounds;
}

/** How long caliban takes from the end of one answer to its next request, with a file read in between. */
async function betweenRequests(home: string, seen: Seen): Promise<Measured> {
  Object.assign(seen, { arrivals: [], ends: [] });
  seen.answers = (index) => (index < READS ? READ : PONG);
  await watchProcess(workspaceNode, CALIBAN.args, environment(home));
  const gaps = seen.arrivals.slice(1).map((arrival, index) => arrival - (seen.ends[index] ?? 0));
  const name = "from an answer to the next request, with a Read (limit 5)";
  return { name, value: median(gaps), unit: "ms" };
}

const PONG: Answer = { text: "pong" };
const READ: Answer = {
  toolCalls: [{ name: "Read", input: { file_path: "CLAUDE.md", limit: 20 } }],
};

interface Program {
  readonly name: string;
  readonly args: readonly string[];
}

interface Once {
  readonly firstMs: number;
  readonly peakMegabytes: number;
}

/** Every tier has something in it, as with people who use it every day. */
function writeHome(home: string, server: ModelServer): void {
  const config = join(home, ".config/caliban");
  mkdirSync(config, { recursive: true });
  mkdirSync(join(home, "app/.git/objects"), { recursive: true });
  mkdirSync(join(home, "app/.git/refs"), { recursive: true });
  writeFileSync(join(home, "app/.git/HEAD"), "ref: refs/heads/main\n");
  const slug = join(home, "app").slice(1).replaceAll("/", "-");
  const memory = join(home, ".local/share/caliban/projects", slug, "memory");
  mkdirSync(memory, { recursive: true });
  const topics = Array.from({ length: 20 }, (_, index) => `topic-${index}`);
  for (const topic of topics) {
    const header = `---\nname: ${topic}\ndescription: "a fact"\nmetadata:\n  node_type: memory\n  type: project\n---\n\n`;
    writeFileSync(join(memory, `${topic}.md`), `${header}A fact.\n`);
  }
  const lines = topics.map((topic) => `- [${topic}](${topic}.md) — project: a fact\n`);
  writeFileSync(join(memory, "MEMORY.md"), `# Memory index\n\n${lines.join("")}`);
  writeFileSync(join(config, "CLAUDE.md"), "- Be brief.\n".repeat(50));
  writeFileSync(join(home, "app/CLAUDE.md"), "- Use pnpm, never npm.\n".repeat(200));
  const provider = `[providers.anthropic]\nbase_url = "${server.baseUrl("anthropic")}"\n`;
  writeFileSync(join(config, "settings.toml"), provider);
}

function environment(home: string): {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
} {
  return { cwd: join(home, "app"), env: { HOME: home, ANTHROPIC_API_KEY: "none-at-all" } };
}

const CALIBAN: Program = { name: "caliban -p, every memory tier", args: [BIN, "-p", "ping"] };

/** Runs caliban once, and gives the others what it sent. */
async function writePrograms(home: string, server: ModelServer): Promise<readonly Program[]> {
  await watchProcess(workspaceNode, CALIBAN.args, environment(home));
  const request = server.requests.at(-1);
  if (request === undefined) throw new Error("caliban sent no request; run `pnpm build` first");
  const captured: CapturedRequest = {
    model: String(request.body["model"]),
    system: systemOf(request),
    prompt: "ping",
    tools: request.body["tools"] as CapturedRequest["tools"],
  };
  writeFileSync(join(home, "request.json"), JSON.stringify(captured));
  writeFileSync(join(home, "body.json"), request.text);
  await bundleAiSdk(home);
  const here = join(root, "bench/first-request");
  return [
    {
      name: "one fetch",
      args: [join(here, "bare-fetch.mjs"), server.url, join(home, "body.json")],
    },
    {
      name: "ai + provider, bundled, compile cache",
      args: [
        join(home, "entry.mjs"),
        server.url,
        join(home, "request.json"),
        join(home, "compiled"),
      ],
    },
    CALIBAN,
  ];
}

async function bundleAiSdk(directory: string): Promise<void> {
  const { build } = await import("tsdown");
  const here = join(root, "bench/first-request");
  await build({
    config: false,
    logLevel: "silent",
    entry: { "ai-sdk": join(here, "ai-sdk.ts") },
    outDir: directory,
    clean: false,
    format: "esm",
    platform: "node",
    target: "node22.19",
    minify: true,
    dts: false,
    fixedExtension: true,
    deps: { alwaysBundle: [/./], onlyBundle: false },
    outputOptions: { codeSplitting: false },
  });
  copyFileSync(join(here, "ai-sdk-entry.mjs"), join(directory, "entry.mjs"));
}

function rows(
  programs: readonly Program[],
  rounds: readonly (readonly Once[])[],
): readonly Measured[] {
  const ratioTo = (base: number, index: number): number =>
    median(rounds.map((round) => (round[index]?.firstMs ?? 0) / (round[base]?.firstMs ?? 1)));
  const first = programs.map(({ name }, index) => ({
    name: `first request: ${name}`,
    value: median(rounds.map((round) => round[index]?.firstMs ?? 0)),
    unit: "ms" as const,
    ratio: ratioTo(0, index),
  }));
  const peaks = programs.map(({ name }, index) => ({
    name: `peak memory: ${name}`,
    value: median(rounds.map((round) => round[index]?.peakMegabytes ?? 0)),
    unit: "MB" as const,
  }));
  const last = programs.length - 1;
  const against = { name: "caliban to ai + provider (limit 1.2)", unit: "ms" as const };
  return [
    ...first,
    { ...against, value: first[last]?.value ?? 0, ratio: ratioTo(1, last) },
    ...peaks,
  ];
}
