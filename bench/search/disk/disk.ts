import { cpSync, rmSync } from "node:fs";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { median } from "../../measurement.ts";
import type { Meeting } from "../meetings.ts";
import type { Figure, Table, TableRow } from "../table.ts";
import { createTopicDirectory, type TopicDirectory } from "./topic-directory.ts";

const TOPICS = 10_000;
const BUILDS = 3;
const ROUNDS = 15;
const QUERY = "functions of the remote control";
/** Occurs in no topic. */
const NEW_WORD = "zyzzogeton";
const MAX_RATIO_TO_STAT = 3;
const MAX_MEGABYTES = 120;

interface Searched {
  readonly ms: number;
  readonly settledMs: number;
  readonly againMs: number;
  readonly megabytes: number;
  readonly searched: number;
  readonly slugs: readonly string[];
}

interface FileScan {
  readonly ms: number;
  readonly readMs: number;
}

/** Measurements that are compared with each other, taken one right after the other. */
interface Round {
  readonly empty: { readonly megabytes: number };
  readonly scan: FileScan;
  readonly loaded: Searched;
  readonly changed: Searched;
}

/** Measures searches with the built package in new processes, compared with a stat of each file. */
export async function benchDisk(meetings: readonly Meeting[]): Promise<readonly Table[]> {
  const directory = createTopicDirectory(meetings, TOPICS);
  const builds: Searched[] = [];
  const rounds: Round[] = [];
  try {
    for (let n = 0; n < BUILDS; n++) builds.push(await search(directory, `build-${n}`, QUERY));
    for (let round = 0; round <= ROUNDS; round++) rounds.push(await runRound(directory));
  } finally {
    directory.remove();
  }
  for (const { searched, slugs } of [...builds, ...rounds.map(({ loaded }) => loaded)]) {
    if (searched !== TOPICS) throw new Error("some topics were not searched");
    if (slugs.join() !== builds[0]?.slugs.join())
      throw new Error("the stored index finds other topics");
  }
  // The first round fills the caches.
  return [tableOf(builds, rounds.slice(1))];
}

async function runRound(directory: TopicDirectory): Promise<Round> {
  const empty = await runScript<Round["empty"]>("empty-process.mjs", []);
  const looked = await runScript<FileScan>("scan-files.mjs", [directory.topics]);
  const loaded = await search(directory, "build-0", QUERY);
  // In a copy, because the search stores the change, and the next round would see the reverted file as a change.
  rmSync(directory.state("changed"), { recursive: true, force: true });
  cpSync(directory.state("build-0"), directory.state("changed"), { recursive: true });
  const changed = await directory.withOneChanged(NEW_WORD, () =>
    search(directory, "changed", NEW_WORD),
  );
  if (changed.slugs.length !== 1) throw new Error("the changed topic was not found");
  return { empty, scan: looked, loaded, changed };
}

async function search(directory: TopicDirectory, name: string, query: string): Promise<Searched> {
  const { topics, state } = directory;
  return await runScript<Searched>("search-topics.mjs", [topics, state(name), query]);
}

/** Runs a script in a process of its own, to measure its memory. It uses the built package. */
async function runScript<Printed>(script: string, args: readonly string[]): Promise<Printed> {
  const path = join(import.meta.dirname, script);
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args]);
  return JSON.parse(stdout) as Printed;
}

function tableOf(builds: readonly Searched[], rounds: readonly Round[]): Table {
  const statMs = median(rounds.map(({ scan: looked }) => looked.ms));
  const emptyMegabytes = median(rounds.map(({ empty }) => empty.megabytes));
  const memory = (searches: readonly Searched[]): Figure => ({
    value: Math.max(...searches.map(({ megabytes }) => megabytes)) - emptyMegabytes,
    digits: 1,
    limit: limitOf(MAX_MEGABYTES),
  });
  const ofRounds = (name: string, msOf: (round: Round) => number, max?: number): TableRow => ({
    name,
    figures: [
      { value: median(rounds.map(msOf)), digits: 1 },
      {
        value: median(rounds.map((round) => msOf(round) / round.scan.ms)),
        digits: 2,
        limit: limitOf(max),
      },
      max === undefined ? undefined : memory(rounds.map(({ loaded }) => loaded)),
    ],
  });
  const ofBuilds = (msOf: (build: Searched) => number): readonly Figure[] => {
    const ms = median(builds.map(msOf));
    return [
      { value: ms, digits: 1 },
      { value: ms / statMs, digits: 2 },
    ];
  };
  return {
    title: `from disk: ${TOPICS} topic files`,
    columns: ["ms", "× stat", "MB over an empty process"],
    rows: [
      ofRounds("stat of all files", ({ scan: looked }) => looked.ms),
      ofRounds("first answer, with a stored index", ({ loaded }) => loaded.ms, MAX_RATIO_TO_STAT),
      ofRounds(
        "first answer, with a stored index and one changed file",
        ({ changed }) => changed.ms,
      ),
      ofRounds("second answer of the same process", ({ loaded }) => loaded.againMs),
      ofRounds("reading all files", ({ scan: looked }) => looked.readMs),
      {
        name: "first answer, without a stored index",
        figures: [...ofBuilds(({ ms }) => ms), memory(builds)],
      },
      {
        name: "first answer, until the index is stored",
        figures: ofBuilds(({ settledMs }) => settledMs),
      },
    ],
    notes: [
      `each in new processes; medians of ${ROUNDS} runs, of ${BUILDS} without a stored index; memory is the highest peak`,
    ],
  };
}

function limitOf(max: number | undefined): Figure["limit"] {
  return max === undefined ? undefined : { kind: "at most", value: max };
}
