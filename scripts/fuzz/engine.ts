import type { TakeCoverage } from "./coverage.ts";
import { createRandom, type Material, mutate, type Random, repeatToLength } from "./mutate.ts";

/** A parser of foreign text. */
export interface Target {
  readonly name: string;
  readonly seeds: readonly string[];
  /** Tokens that mean something to the parser. */
  readonly dictionary: readonly string[];
  /** Runs the parser, and throws if it breaks a promise. */
  readonly run: (text: string) => unknown;
}

export interface FuzzInput {
  readonly takeCoverage: TakeCoverage;
  readonly seconds: number;
  readonly seed: number;
}

/** An input that breaks a promise. */
interface Finding {
  readonly problem: string;
  readonly text: string;
}

export interface FuzzResult {
  readonly runs: number;
  readonly blocks: number;
  readonly kept: number;
  readonly findings: readonly Finding[];
}

/** Coverage is taken once for so many inputs, because that takes longer than running one. */
const BATCH = 256;
const MAX_FINDINGS = 10;
const LONG_CHARACTERS = 65_536;

/** Mutates the seeds and every input that reached new code, until the time is over. */
export async function fuzz(target: Target, input: FuzzInput): Promise<FuzzResult> {
  const { takeCoverage, seconds, seed } = input;
  const random = createRandom(seed);
  const corpus = [...target.seeds];
  const findings = new Map<string, Finding>();
  const seen = new Set<string>();
  let runs = 0;
  const end = performance.now() + seconds * 1000;
  takeCoverage();
  for (let batch: readonly string[] = corpus.slice(); ;) {
    for (const text of batch) await check(target, text, findings);
    runs += batch.length;
    const fresh = new Set([...takeCoverage()].filter((block) => !seen.has(block)));
    fresh.forEach((block) => seen.add(block));
    const search = { target, fresh, takeCoverage };
    if (runs > batch.length) corpus.push(...(await findReaching(batch, search)));
    if (performance.now() > end || findings.size >= MAX_FINDINGS) break;
    const material = { corpus, dictionary: target.dictionary };
    batch = Array.from({ length: BATCH }, (_, at) => nextText(at, material, random));
  }
  const kept = corpus.length - target.seeds.length;
  return { runs, blocks: seen.size, kept, findings: [...findings.values()] };
}

function nextText(at: number, material: Material, random: Random): string {
  const { corpus } = material;
  // Half of the time one of the latest, which reach the newest code.
  const from = random(2) === 0 ? Math.max(0, corpus.length - 32) : 0;
  const text = corpus[from + random(corpus.length - from)] ?? "";
  if (at % 64 === 0) return repeatToLength(text, LONG_CHARACTERS, random);
  return mutate(text, material, random);
}

interface Search {
  readonly target: Target;
  /** Blocks that no input is known for. */
  readonly fresh: Set<string>;
  readonly takeCoverage: TakeCoverage;
}

/** The inputs of a batch that reach new blocks, found by halving it. Removes the blocks that were found. */
async function findReaching(batch: readonly string[], search: Search): Promise<readonly string[]> {
  const { target, fresh, takeCoverage } = search;
  if (fresh.size === 0 || batch.length === 0) return [];
  for (const text of batch) await findProblem(target, text);
  const reached = [...takeCoverage()].filter((block) => fresh.has(block));
  if (reached.length === 0) return [];
  if (batch.length === 1) {
    reached.forEach((block) => fresh.delete(block));
    return batch;
  }
  const half = batch.length >> 1;
  const first = await findReaching(batch.slice(0, half), search);
  return [...first, ...(await findReaching(batch.slice(half), search))];
}

async function check(target: Target, text: string, findings: Map<string, Finding>): Promise<void> {
  const problem = await findProblem(target, text);
  if (problem === undefined) return;
  // One example of each kind.
  const kind = kindOf(problem);
  if (!findings.has(kind)) findings.set(kind, { problem, text: await shrink(target, text, kind) });
}

function kindOf(problem: string): string {
  return problem.replaceAll(/\d+|"[^"]*"/g, "").slice(0, 60);
}

/** Removes parts as long as the problem stays the same. */
async function shrink(target: Target, text: string, kind: string): Promise<string> {
  let shortest = text;
  for (let size = text.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < shortest.length;) {
      const shorter = shortest.slice(0, at) + shortest.slice(at + size);
      const problem = await findProblem(target, shorter);
      if (problem !== undefined && kindOf(problem) === kind) shortest = shorter;
      else at += size;
    }
  }
  return shortest;
}

const TRIES = 3;

/** Why an input breaks a promise. Slow inputs run again, because a collection of garbage may have been due. */
async function findProblem(target: Target, text: string): Promise<string | undefined> {
  // Generous, because code runs several times slower while coverage is counted. Quadratic work on a long input exceeds it.
  const maxMs = 200 + text.length / 10;
  let fastestMs = Infinity;
  for (let left = TRIES; left > 0 && fastestMs > maxMs; left -= 1) {
    const start = process.cpuUsage();
    try {
      await target.run(text);
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    // CPU time, because other programs may keep the machine busy.
    const { user, system } = process.cpuUsage(start);
    fastestMs = Math.min(fastestMs, (user + system) / 1000);
  }
  if (fastestMs <= maxMs) return undefined;
  return `slow: ${Math.round(fastestMs)} ms for ${text.length} characters`;
}
