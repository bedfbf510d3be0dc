import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { median } from "../../median.ts";
import type { Meeting } from "../meetings.ts";
import type { Figure, Table, TableRow } from "../table.ts";
import { makeTopicDirectory, type TopicDirectory } from "./topic-directory.ts";

const TOPICS = 10_000;
const ROUNDS = 7;
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

interface Round {
  readonly looked: Looked;
  readonly empty: { readonly megabytes: number };
  readonly built: Searched;
  readonly loaded: Searched;
  readonly changed: Searched;
}

/** Searches in processes that begin with nothing, with what is built, beside a look at each file. */
export async function benchDisk(meetings: readonly Meeting[]): Promise<readonly Table[]> {
  const place = makeTopicDirectory(meetings, TOPICS);
  const rounds: Round[] = [];
  try {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, or they would disturb each other
    for (let round = 0; round <= ROUNDS; round++) rounds.push(await runRound(place, round));
  } finally {
    place.remove();
  }
  // The first round fills the caches.
  return [tableOf(rounds.slice(1))];
}

async function runRound(place: TopicDirectory, round: number): Promise<Round> {
  const { topics } = place;
  const snapshot = place.snapshot(`round-${round}`);
  const search = async (query: string): Promise<Searched> =>
    await ran<Searched>("search-topics.mjs", [topics, snapshot, query]);
  const empty = await ran<Round["empty"]>("nothing.mjs", []);
  const looked = await ran<Looked>("look-at-all.mjs", [topics]);
  const built = await search(QUERY);
  const loaded = await search(QUERY);
  if (built.searched !== TOPICS || loaded.searched !== TOPICS) throw new Error("not all are there");
  if (loaded.slugs.join() !== built.slugs.join()) throw new Error("the kept index finds others");
  const changed: Searched[] = [];
  await place.withOneChanged(NEW_WORD, async () => {
    changed.push(await search(NEW_WORD));
  });
  const [first] = changed;
  if (first?.slugs.length !== 1) throw new Error("what was changed is not found");
  return { empty, looked, built, loaded, changed: first };
}

/** In a process of its own, so that its memory is its own. What is built is measured, with nothing of the source. */
async function ran<Printed>(script: string, args: readonly string[]): Promise<Printed> {
  const path = join(import.meta.dirname, script);
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args]);
  return JSON.parse(stdout) as Printed;
}

function tableOf(rounds: readonly Round[]): Table {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const statMs = of(({ looked }) => looked.ms);
  const row = (name: string, ms: number, more: Partial<RowFigures> = {}): TableRow => {
    const { megabytes, most } = more;
    const ratio: Figure = { value: ms / statMs, digits: 2, limit: limitOf(most) };
    return { name, figures: [{ value: ms, digits: 1 }, ratio, megabytes] };
  };
  const memory = (pick: (round: Round) => Searched): Figure => ({
    value: Math.max(...rounds.map((round) => pick(round).megabytes - round.empty.megabytes)),
    digits: 1,
    limit: limitOf(MOST_MEGABYTES),
  });
  const built = memory((round) => round.built);
  const loaded = memory((round) => round.loaded);
  return {
    title: `from disk: ${TOPICS} topic files, each line a process that begins with nothing`,
    columns: ["ms", "× stat", "MB over an empty one, at its peak"],
    rows: [
      row(`stat of all files`, statMs),
      row(
        "first answer from a kept index",
        of((round) => round.loaded.ms),
        { megabytes: loaded, most: MOST_TIMES_STAT },
      ),
      row(
        "the same, with one file changed",
        of((round) => round.changed.ms),
      ),
      row(
        "second answer in the same process",
        of((round) => round.loaded.againMs),
      ),
      row(
        "reading all files",
        of(({ looked }) => looked.readMs),
      ),
      row(
        "first answer without a kept index",
        of((round) => round.built.ms),
        { megabytes: built },
      ),
      row(
        "the same, until the index is kept",
        of((round) => round.built.settledMs),
      ),
    ],
    notes: [`medians of ${ROUNDS} rounds, memory the most of them`],
  };
}

interface RowFigures {
  readonly megabytes: Figure;
  readonly most: number;
}

function limitOf(most: number | undefined): Figure["limit"] {
  return most === undefined ? undefined : { kind: "at most", value: most };
}
