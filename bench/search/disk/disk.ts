import { copyFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { median } from "../../median.ts";
import type { Meeting } from "../meetings.ts";
import type { Figure, Table, TableRow } from "../table.ts";
import { makeTopicDirectory, type TopicDirectory } from "./topic-directory.ts";

const TOPICS = 10_000;
const BUILDS = 3;
const ROUNDS = 15;
const QUERY = "functions of the remote control";
/** In no topic. */
const NEW_WORD = "zyzzogeton";
const MOST_TIMES_STAT = 3;
const MOST_MEGABYTES = 120;

interface Searched {
  readonly ms: number;
  readonly settledMs: number;
  readonly againMs: number;
  readonly megabytes: number;
  readonly searched: number;
  readonly slugs: readonly string[];
}

interface Looked {
  readonly ms: number;
  readonly readMs: number;
}

/** What is compared with each other, one right after the other. */
interface Round {
  readonly empty: { readonly megabytes: number };
  readonly looked: Looked;
  readonly loaded: Searched;
  readonly changed: Searched;
}

/** Searches in processes that begin with nothing, with what is built, beside a look at each file. */
export async function benchDisk(meetings: readonly Meeting[]): Promise<readonly Table[]> {
  const place = makeTopicDirectory(meetings, TOPICS);
  const builds: Searched[] = [];
  const rounds: Round[] = [];
  try {
    // oxlint-disable no-await-in-loop -- one after the other, or they would disturb each other
    for (let n = 0; n < BUILDS; n++) builds.push(await search(place, `build-${n}`, QUERY));
    for (let round = 0; round <= ROUNDS; round++) rounds.push(await runRound(place));
    // oxlint-enable no-await-in-loop
  } finally {
    place.remove();
  }
  for (const { searched, slugs } of [...builds, ...rounds.map(({ loaded }) => loaded)]) {
    if (searched !== TOPICS) throw new Error("not all topics were searched");
    if (slugs.join() !== builds[0]?.slugs.join()) throw new Error("a kept index finds others");
  }
  // The first round fills the caches.
  return [tableOf(builds, rounds.slice(1))];
}

async function runRound(place: TopicDirectory): Promise<Round> {
  const empty = await ran<Round["empty"]>("nothing.mjs", []);
  const looked = await ran<Looked>("look-at-all.mjs", [place.topics]);
  const loaded = await search(place, "build-0", QUERY);
  // In a copy: what was changed is kept at once, and would be a change again for the next round.
  copyFileSync(place.snapshot("build-0"), place.snapshot("changed"));
  const changed = await place.withOneChanged(NEW_WORD, () => search(place, "changed", NEW_WORD));
  if (changed.slugs.length !== 1) throw new Error("what was changed is not found");
  return { empty, looked, loaded, changed };
}

async function search(place: TopicDirectory, name: string, query: string): Promise<Searched> {
  const { topics, snapshot } = place;
  return await ran<Searched>("search-topics.mjs", [topics, snapshot(name), query]);
}

/** In a process of its own, so that its memory is its own. What is built is measured, with nothing of the source. */
async function ran<Printed>(script: string, args: readonly string[]): Promise<Printed> {
  const path = join(import.meta.dirname, script);
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args]);
  return JSON.parse(stdout) as Printed;
}

function tableOf(builds: readonly Searched[], rounds: readonly Round[]): Table {
  const statMs = median(rounds.map(({ looked }) => looked.ms));
  const emptyMegabytes = median(rounds.map(({ empty }) => empty.megabytes));
  const memory = (searches: readonly Searched[]): Figure => ({
    value: Math.max(...searches.map(({ megabytes }) => megabytes)) - emptyMegabytes,
    digits: 1,
    limit: limitOf(MOST_MEGABYTES),
  });
  const ofRounds = (name: string, msOf: (round: Round) => number, most?: number): TableRow => ({
    name,
    figures: [
      { value: median(rounds.map(msOf)), digits: 1 },
      {
        value: median(rounds.map((round) => msOf(round) / round.looked.ms)),
        digits: 2,
        limit: limitOf(most),
      },
      most === undefined ? undefined : memory(rounds.map(({ loaded }) => loaded)),
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
      ofRounds("stat of all files", ({ looked }) => looked.ms),
      ofRounds("first answer, from a kept index", ({ loaded }) => loaded.ms, MOST_TIMES_STAT),
      ofRounds("the same, with one file changed", ({ changed }) => changed.ms),
      ofRounds("second answer in the same process", ({ loaded }) => loaded.againMs),
      ofRounds("reading all files", ({ looked }) => looked.readMs),
      {
        name: "first answer, without a kept index",
        figures: [...ofBuilds(({ ms }) => ms), memory(builds)],
      },
      {
        name: "the same, until the index is kept",
        figures: ofBuilds(({ settledMs }) => settledMs),
      },
    ],
    notes: [
      `each in processes that begin with nothing; medians of ${ROUNDS}, of ${BUILDS} without a kept index; memory at its peak, and the most of all`,
    ],
  };
}

function limitOf(most: number | undefined): Figure["limit"] {
  return most === undefined ? undefined : { kind: "at most", value: most };
}
