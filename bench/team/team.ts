import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SyncedResult, Team } from "../../packages/memory-git/src/index.ts";
import { openTeam } from "../../packages/memory-git/src/node/index.ts";
import { interleaveJobs } from "../interleave.ts";
import { type Measurement, median, timing } from "../measurement.ts";

const run = promisify(execFile);
const TOPICS = 1_000;
const CHANGES = 50;
const ROUNDS = 30;
const MERGES = 5;
const MAX_FETCH_RATIO = 1.3;
const MAX_MERGE_MS = 1_000;
const MAX_MEGABYTES = 100;

/** Compares a sync with git alone, in the same run. Fails above its limits. */
export async function benchTeam(): Promise<readonly (Measurement | string)[]> {
  const root = mkdtempSync(join(tmpdir(), "caliban-bench-team-"));
  try {
    const remote = join(root, "remote.git");
    execFileSync("git", ["init", "--quiet", "--bare", remote]);
    const [ann, ben] = [openClone(root, "ann"), openClone(root, "ben")];
    for (const { team } of [ann, ben]) await team.init(remote);
    for (let index = 0; index < TOPICS; index++) await share(ann, index, ["One.", "Two."]);
    await synced(ann);
    await acceptAll(ben);
    const [fetch, sync] = await benchNothingNew(remote, ben);
    const merge = await benchMerge(ann, ben);
    const memory = await benchMemory(root, remote);
    const missed = [
      ...((sync?.ratio ?? 0) > MAX_FETCH_RATIO
        ? [`a sync takes more than ${MAX_FETCH_RATIO} × a fetch`]
        : []),
      ...(merge.value > MAX_MERGE_MS ? [`a merge takes more than ${MAX_MERGE_MS} ms`] : []),
      ...(memory.value > MAX_MEGABYTES ? [`a sync needs more than ${MAX_MEGABYTES} MB`] : []),
    ];
    if (missed.length > 0) process.exitCode = 1;
    const lines = [fetch, sync, merge, memory].flatMap((each) => each ?? []);
    return [...lines, ...missed.map((text) => `  FAILED: ${text}`)];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

interface Clone {
  readonly team: Team;
  readonly env: Record<string, string>;
  /** What git writes about itself. */
  readonly trace: string;
}

function openClone(root: string, name: string): Clone {
  const home = join(root, name);
  mkdirSync(home);
  const trace = join(home, "trace");
  const config = `[user]\nname = ${name}\nemail = ${name}@example.com\n[trace2]\neventTarget = ${trace}\n`;
  writeFileSync(join(home, ".gitconfig"), config);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const files = { directory: join(home, "team"), allowedSignersFile: join(home, "signers") };
  return { team: openTeam({ ...files, env, signingKey: false }), env, trace };
}

async function benchNothingNew(remote: string, ben: Clone): Promise<readonly Measurement[]> {
  const bare = `${remote}-fetched`;
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
  const ref = "+refs/caliban/memory:refs/caliban/memory";
  const args = ["--git-dir", bare, "fetch", "--quiet", remote, ref];
  const fetch = (): Promise<unknown> => run("git", args, { env: ben.env });
  const [fetchMs = 0, syncMs = 0] = await interleaveJobs([fetch, () => synced(ben)], ROUNDS);
  return [
    timing("git fetch of the ref, nothing new", fetchMs),
    timing(`sync, nothing new (limit ${MAX_FETCH_RATIO})`, syncMs, fetchMs),
  ];
}

async function benchMerge(ann: Clone, ben: Clone): Promise<Measurement> {
  const times: number[] = [];
  for (let round = 1; round <= MERGES; round++) {
    for (let index = 0; index < CHANGES; index++) {
      await share(ann, index, [numbered("One", round), numbered("Two", round - 1)]);
      await share(ben, index, [numbered("One", round - 1), numbered("Two", round)]);
    }
    await synced(ann);
    writeFileSync(ben.trace, "");
    const started = performance.now();
    const { sent, conflicts } = await synced(ben);
    times.push(performance.now() - started - gitMs(ben));
    if (sent.length !== CHANGES || conflicts.length > 0)
      throw new Error("not everything was merged");
    await acceptAll(ben);
    await acceptAll(ann);
  }
  const name = `merge ${CHANGES} changes on each side of ${TOPICS} topics, without git`;
  return { name: `${name} (limit ${MAX_MERGE_MS})`, value: median(times), unit: "ms" };
}

function numbered(word: string, round: number): string {
  return round === 0 ? `${word}.` : `${word} ${round}.`;
}

/** Of every git that was started by us, and not by another git. */
function gitMs({ trace }: Clone): number {
  return readFileSync(trace, "utf8")
    .split("\n")
    .filter((line) => line.includes('"event":"exit"') && !/"sid":"[^"]*\//.test(line))
    .map((line) => Number(/"t_abs":([\d.]+)/.exec(line)?.[1] ?? 0) * 1_000)
    .reduce((sum, ms) => sum + ms, 0);
}

async function benchMemory(root: string, remote: string): Promise<Measurement> {
  const home = join(root, "carl");
  mkdirSync(home);
  const script = join(import.meta.dirname, "sync-once.mjs");
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const { stdout } = await run(process.execPath, [script, join(home, "team"), remote], { env });
  const name = `first sync of ${TOPICS} topics in a new process (limit ${MAX_MEGABYTES})`;
  return { name, value: Number(stdout), unit: "MB" };
}

async function share({ team }: Clone, index: number, paragraphs: readonly string[]): Promise<void> {
  const slug = `topic-${index}`;
  const filler =
    "Something that is worth remembering about this project and takes a line.\n".repeat(20);
  const body = [paragraphs[0], filler.trimEnd(), paragraphs[1]].join("\n\n");
  const header = `---\nname: ${slug}\ndescription: "what ${slug} is about"\nmetadata:\n  node_type: memory\n  type: project\n---\n\n`;
  await team.share({ slug, text: `${header}${body}\n` });
}

async function synced({ team }: Clone): Promise<SyncedResult> {
  const result = await team.sync();
  if (result.kind !== "synced") throw new Error(`the sync failed: ${result.kind}`);
  return result;
}

async function acceptAll(clone: Clone): Promise<void> {
  const { waiting } = await synced(clone);
  for (const { version } of waiting) await clone.team.accept(version);
}
