import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { registerSessions } from "../../packages/autonomous-memory/src/node/run/register-sessions.ts";
import { calibanSource } from "../../packages/autonomous-memory/src/node/sources/caliban-source.ts";
import { openPipelineStore } from "../../packages/autonomous-memory/src/node/store/open-pipeline-store.ts";
import { THREAD_LIMITS } from "../../packages/autonomous-memory/src/node/run/pipeline-thread.ts";
import { type Measurement, median, timing } from "../measurement.ts";

import { interleaveJobs } from "../interleave.ts";

import { generateSessions } from "./sessions.ts";

const SESSIONS = 64;
const MEGABYTE = 1_000_000;
const ROUNDS = 3;
const REGISTERED = 10_000;

/** Compares the pipeline with only reading and rendering, and the registry with a stat of each file. */
export async function benchPipeline(): Promise<readonly Measurement[]> {
  return [...(await benchRuns()), ...(await benchRegistry()), ...(await benchStart())];
}

async function benchRuns(): Promise<readonly Measurement[]> {
  const { home, sessions } = generateSessions(SESSIONS, MEGABYTE);
  const model = await startModel();
  const [readOnly, whole]: [ScriptResult[], ScriptResult[]] = [[], []];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      readOnly.push(await runScript("read-alone.mjs", [sessions]));
      const directory = mkdtempSync(join(home, "run-"));
      whole.push(
        await runScript("run-all.mjs", [
          sessions,
          directory,
          model.url,
          JSON.stringify(THREAD_LIMITS),
        ]),
      );
      if (whole.at(-1)?.report?.sessionsRead !== SESSIONS)
        throw new Error("some sessions were not read");
    }
  } finally {
    model.server.close();
    rmSync(home, { recursive: true });
  }
  const [readMs, wholeMs] = [readOnly, whole].map((runs) => median(runs.map(({ ms }) => ms)));
  const requests = whole[0]?.report?.requests ?? 0;
  return [
    timing(`read and render ${SESSIONS} sessions of 1 MB`, readMs, readMs),
    timing(`run the whole pipeline on them, ${requests} requests`, wholeMs, readMs),
    {
      name: "peak memory of the pipeline",
      value: Math.max(...whole.map(({ megabytes }) => megabytes)),
      unit: "MB",
    },
  ];
}

const STARTS = 9;

/** Measures what a background start with nothing new costs the thread that draws the screen. */
async function benchStart(): Promise<readonly Measurement[]> {
  const { home, workspace } = createLearningProject();
  try {
    const start = async (): Promise<ScriptResult> =>
      await runScript("start-nothing-new.ts", [home, workspace]);
    // The first start registers and reads the sessions.
    await start();
    const times: number[] = [];
    for (let round = 0; round < STARTS; round++) {
      const { ms, report } = await start();
      if (report?.outcome !== "nothing-new" || report.requests > 0)
        throw new Error("the pipeline found something new");
      times.push(ms);
    }
    const name = "start with nothing new in 200 sessions, main thread";
    return [{ name, value: median(times), unit: "ms" }];
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Creates a project with learning enabled and old sessions that contain nothing to learn. */
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

/** Runs a script in a process of its own, to measure its memory. */
async function runScript(script: string, args: readonly string[]): Promise<ScriptResult> {
  const path = join(import.meta.dirname, script);
  // Scripts in JavaScript measure the built package.
  const conditions = script.endsWith(".ts") ? ["--conditions=caliban:source"] : [];
  const { stdout } = await promisify(execFile)(process.execPath, [...conditions, path, ...args]);
  return JSON.parse(stdout) as ScriptResult;
}

const EXTRACTION = {
  rollout_summary: "The user fixed the part and ran the tests.",
  rollout_slug: "fix-part",
  raw_memory: "- Tests run with `pnpm test` (2026-11-01).",
};
const MEMORY = {
  memory_md: "# Memory\n\n- Tests: `pnpm test`.",
  memory_summary: "Tests: `pnpm test`.",
  skills: [],
};

/** Starts a model that answers every request at once. */
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

async function benchRegistry(): Promise<readonly Measurement[]> {
  const { home, sessions } = generateSessions(REGISTERED, 1);
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
      timing(`stat ${REGISTERED} sessions`, statMs, statMs),
      timing(`register ${REGISTERED} known sessions`, registerMs, statMs),
    ];
  } finally {
    store.close();
    rmSync(home, { recursive: true });
  }
}
