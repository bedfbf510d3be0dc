import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { registerSessions } from "../../packages/autonomous-memory/src/node/run/register-sessions.ts";
import { calibanSource } from "../../packages/autonomous-memory/src/node/sources/caliban-source.ts";
import { openPipelineStore } from "../../packages/autonomous-memory/src/node/store/open-pipeline-store.ts";
import { THREAD_LIMITS } from "../../apps/caliban/src/pipeline/start-worker.ts";
import type { Measurement } from "../measured.ts";
import { median } from "../median.ts";
import { interleaveJobs } from "../take-turns.ts";
import { type Timing, timingOf } from "../timing.ts";
import { generateSessions } from "./sessions.ts";

const SESSIONS = 64;
const MEGABYTE = 1_000_000;
const ROUNDS = 3;
const MANY = 10_000;

/** The pipeline against reading and rendering alone, and the registry against a look at each file. */
export async function benchPipeline(): Promise<readonly (Timing | Measurement)[]> {
  return [...(await benchRuns()), ...(await benchRegistry()), ...(await benchStart())];
}

async function benchRuns(): Promise<readonly (Timing | Measurement)[]> {
  const { home, sessions } = generateSessions(SESSIONS, MEGABYTE);
  const model = await startModel();
  const [alone, whole]: [ScriptResult[], ScriptResult[]] = [[], []];
  try {
    // oxlint-disable no-await-in-loop -- one after the other, or they would disturb each other
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await runScript("read-alone.mjs", [sessions]));
      const place = mkdtempSync(join(home, "run-"));
      whole.push(
        await runScript("run-all.mjs", [sessions, place, model.url, JSON.stringify(THREAD_LIMITS)]),
      );
      if (whole.at(-1)?.report?.sessionsRead !== SESSIONS) throw new Error("not all were read");
    }
    // oxlint-enable no-await-in-loop
  } finally {
    model.server.close();
    rmSync(home, { recursive: true });
  }
  const [aloneMs, wholeMs] = [alone, whole].map((runs) => median(runs.map(({ ms }) => ms)));
  const requests = whole[0]?.report?.requests ?? 0;
  return [
    timingOf(`read and render ${SESSIONS} sessions of 1 MB`, aloneMs, aloneMs),
    timingOf(`the whole pipeline on them, ${requests} requests`, wholeMs, aloneMs),
    {
      name: "its peak memory",
      value: Math.max(...whole.map(({ megabytes }) => megabytes)),
      unit: "MB",
    },
  ];
}

const STARTS = 9;

/** A start with nothing new, in the background of a screen: what it costs the thread that draws the screen. */
async function benchStart(): Promise<readonly Measurement[]> {
  const { home, workspace } = createLearningProject();
  try {
    const start = async (): Promise<ScriptResult> => await runScript("start-nothing-new.ts", [home, workspace]);
    // The first one registers the sessions, and reads them.
    await start();
    const times: number[] = [];
    for (let round = 0; round < STARTS; round++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, or they would disturb each other
      const { ms, report } = await start();
      if (report?.outcome !== "nothing-new" || report.requests > 0) throw new Error("not nothing");
      times.push(ms);
    }
    const name = "start with nothing new in 200 sessions, main thread";
    return [{ name, value: median(times), unit: "ms" }];
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** A home in which learning is on, with sessions that were said long ago, and nothing in them to learn. */
function createLearningProject(): { readonly home: string; readonly workspace: string } {
  const { home, sessions } = generateSessions(200, 1);
  const workspace = join(home, "app");
  const settings = join(home, ".config", "caliban");
  for (const directory of [workspace, settings]) mkdirSync(directory, { recursive: true });
  writeFileSync(
    join(settings, "settings.toml"),
    "[memories]\nenabled = true\nmax_rollouts_per_startup = 200\n",
  );
  const slug = workspace.slice(1).replaceAll("/", "-");
  const project = join(home, ".local", "share", "caliban", "projects", slug);
  mkdirSync(project, { recursive: true });
  renameSync(sessions, join(project, "sessions"));
  return { home, workspace };
}

interface ScriptResult {
  readonly ms: number;
  readonly megabytes: number;
  readonly report?: {
    readonly outcome: string;
    readonly sessionsRead: number;
    readonly requests: number;
  };
}

/** In a process of its own, so that its memory is its own. */
async function runScript(script: string, args: readonly string[]): Promise<ScriptResult> {
  const path = join(import.meta.dirname, script);
  // What is built is measured as it is built, with nothing of the source.
  const conditions = script.endsWith(".ts") ? ["--conditions=caliban:source"] : [];
  const { stdout } = await promisify(execFile)(process.execPath, [...conditions, path, ...args]);
  return JSON.parse(stdout) as ScriptResult;
}

const EXTRACTION = {
  rollout_summary: "The person mended the part and ran the tests.",
  rollout_slug: "mend-part",
  raw_memory: "- Tests run with `pnpm test` (2026-11-01).",
};
const MEMORY = {
  memory_md: "# Memory\n\n- Tests: `pnpm test`.",
  memory_summary: "Tests: `pnpm test`.",
  skills: [],
};

/** Answers at once, whatever it is asked. */
async function startModel(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const isConsolidation = Buffer.concat(chunks).includes("memory_summary");
      response.end(JSON.stringify(isConsolidation ? MEMORY : EXTRACTION));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function benchRegistry(): Promise<readonly Timing[]> {
  const { home, sessions } = generateSessions(MANY, 1);
  const store = await openPipelineStore({ path: join(home, "memories.sqlite") });
  try {
    const source = calibanSource({ directory: sessions });
    const parts = { project: "bench", store, sources: [source] };
    await registerSessions(parts);
    const paths = (await source.list()).files.map(({ path }) => path);
    const [statMs, registerMs] = await interleaveJobs(
      [async () => paths.map((path) => statSync(path).size), () => registerSessions(parts)],
      9,
    );
    return [
      timingOf(`stat ${MANY} sessions`, statMs, statMs),
      timingOf(`register ${MANY} sessions that are known`, registerMs, statMs),
    ];
  } finally {
    store.close();
    rmSync(home, { recursive: true });
  }
}
