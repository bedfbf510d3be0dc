import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, workspaceNode } from "../../scripts/workspace.mjs";
import type { Answer } from "../../test/support/model-server/answer.ts";
import { writeFullMemory } from "../../test/support/full-memory.ts";
import { startModelServer } from "../../test/support/model-server/model-server.ts";
import { changeOf, type Measurement, median } from "../measurement.ts";
import { caliban, environment, executable, type Program, writeBaselines } from "./programs.ts";
import { watchProcess } from "./watch-process.ts";

const ROUNDS = 25;
const READS = 20;
const GAP_ROUNDS = 5;

const CALIBAN = caliban("caliban -p, every memory tier (limit 1.3)", root);

/**
 * Measures the time from the start of a process to its first request, compared with a bare fetch and with `ai` sending
 * the same request.
 * @param other a checkout whose program runs in turn with this one
 */
export async function benchFirstRequest(other?: string): Promise<readonly Measurement[]> {
  const home = mkdtempSync(join(tmpdir(), "caliban-bench-"));
  const log: ServerLog = { arrivals: [], ends: [], answers: () => PONG };
  const server = await startModelServer({
    script: (request) => {
      const index = log.arrivals.push(performance.now()) - 1;
      void request.closed.then(() => void log.ends.push(performance.now()));
      return log.answers(index);
    },
  });
  const previous = other === undefined ? [] : [caliban("caliban of the other checkout", other)];
  try {
    await writeFullMemory(home, server.baseUrl("anthropic"));
    const programs = [
      ...(await writeBaselines(home, server)),
      CALIBAN,
      ...previous,
      ...executable(),
    ];
    const rounds = await runRounds(programs, log, home);
    return [
      ...measure(programs, rounds),
      ...(await measureGaps([CALIBAN, ...previous], log, home)),
    ];
  } finally {
    await server.close();
    rmSync(home, { recursive: true });
  }
}

/** What the server received from the running process. */
interface ServerLog {
  arrivals: number[];
  ends: number[];
  answers: (index: number) => Answer;
}

interface Sample {
  readonly firstMs: number;
  readonly peakMegabytes: number;
}

async function runRounds(
  programs: readonly Program[],
  log: ServerLog,
  home: string,
): Promise<readonly (readonly Sample[])[]> {
  const rounds: (readonly Sample[])[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const samples: Sample[] = [];
    for (const { command = workspaceNode, args } of programs) {
      log.arrivals = [];
      const started = performance.now();
      const { peakMegabytes } = await watchProcess(command, args, environment(home));
      samples.push({ firstMs: (log.arrivals[0] ?? Number.NaN) - started, peakMegabytes });
    }
    // The first round fills the caches.
    if (round >= 0) rounds.push(samples);
  }
  return rounds;
}

/** The positions in the list of programs. */
const [FETCH, AI_SDK, OURS, PREVIOUS] = [0, 1, 2, 3];

function measure(
  programs: readonly Program[],
  rounds: readonly (readonly Sample[])[],
): readonly Measurement[] {
  const samples = (key: keyof Sample, index: number): readonly number[] =>
    rounds.map((round) => round[index]?.[key] ?? 0);
  const ratio = (index: number, baseline: number): number =>
    median(rounds.map((round) => (round[index]?.firstMs ?? 0) / (round[baseline]?.firstMs ?? 1)));
  const change = (key: keyof Sample, index: number): number | undefined =>
    index === OURS && programs[PREVIOUS] !== undefined && programs[PREVIOUS].command === undefined
      ? changeOf(samples(key, OURS), samples(key, PREVIOUS))
      : undefined;
  return [
    ...programs.map(({ name }, index) => ({
      name: `first request: ${name}`,
      value: median(samples("firstMs", index)),
      unit: "ms" as const,
      ratio: ratio(index, FETCH),
      change: change("firstMs", index),
    })),
    {
      name: "first request: caliban to ai + provider (limit 1.2)",
      value: median(samples("firstMs", OURS)),
      unit: "ms",
      ratio: ratio(OURS, AI_SDK),
    },
    ...programs.map(({ name }, index) => ({
      name: `peak memory: ${name}`,
      value: median(samples("peakMegabytes", index)),
      unit: "MB" as const,
      change: change("peakMegabytes", index),
    })),
  ];
}

/** Measures the time from the end of an answer to the next request, with a file read in between. */
async function measureGaps(
  programs: readonly Program[],
  log: ServerLog,
  home: string,
): Promise<readonly Measurement[]> {
  log.answers = (index) => (index < READS ? READ : PONG);
  const gaps = programs.map((): number[] => []);
  for (let round = 0; round < GAP_ROUNDS; round++) {
    for (const [index, { args }] of programs.entries()) {
      Object.assign(log, { arrivals: [], ends: [] });
      await watchProcess(workspaceNode, args, environment(home));
      const measured = log.arrivals.slice(1).map((arrival, at) => arrival - (log.ends[at] ?? 0));
      gaps[index]?.push(...measured);
    }
  }
  const [ours = [], previous] = gaps;
  const name = "from an answer to the next request, with a Read (limit 3 on a quiet machine)";
  const change = previous && changeOf(ours, previous);
  return [{ name, value: median(ours), unit: "ms", change }];
}

const PONG: Answer = { text: "pong" };
const READ: Answer = {
  toolCalls: [{ name: "Read", input: { file_path: "CLAUDE.md", limit: 20 } }],
};
