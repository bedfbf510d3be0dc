import type { SearchDocument } from "../../../packages/memory/src/search/document.ts";
import { makeTopics, topicDocument } from "../topic-texts.ts";
import type { Meeting } from "../meetings.ts";
import type { Figure, Limit, Table, TableRow } from "../table.ts";
import { type Queries, queriesOf } from "./queries.ts";
import { caliban, type FindTopics, fullText, miniSearch } from "./topic-finders.ts";

const MANY = 10_000;
const VERY_MANY = 100_000;
const PASSES = 5;
/** FTS5 for the words that say something: the faster of the two, and what ours is compared with. */
const COMPARED = "FTS5, our stop list";

/** Searches in an index that is there and warm, at two sizes. */
export function benchSpeed(meetings: readonly Meeting[]): readonly Table[] {
  const queries = queriesOf(meetings);
  return [benchMany(meetings, queries), benchVeryMany(meetings, queries)];
}

function benchMany(meetings: readonly Meeting[], queries: Queries): Table {
  const documents = documentsOf(meetings, MANY);
  const sqlite = fullText(documents);
  const finders = {
    caliban: caliban(documents),
    [COMPARED]: sqlite.tellingWords,
    "FTS5, every word": sqlite.everyWord,
    "MiniSearch, our stop list and stemmer": miniSearch(documents),
  };
  const times = timed(finders, queries);
  const { caliban: ours, [COMPARED]: compared } = times;
  if (ours === undefined || compared === undefined) throw new Error("not all were measured");
  const ratio = (of: "keywords" | "questions"): Figure => ({
    value: at(compared[of], 0.5) / at(ours[of], 0.5),
    digits: 1,
    limit: { kind: "at least", value: 10 },
  });
  const times10 = { name: `${COMPARED}, divided by ours` };
  return {
    title: `speed: ${MANY} topics, warm, ms`,
    columns: COLUMNS,
    rows: [
      row("caliban", ours, { keyword: 0.1, question: 0.5, slowest: 5 }),
      ...Object.entries(times)
        .filter(([name]) => name !== "caliban")
        .map(([name, measured]) => row(name, measured, {})),
      { ...times10, figures: [ratio("keywords"), undefined, ratio("questions"), undefined] },
    ],
    notes: notesOn(queries),
  };
}

function benchVeryMany(meetings: readonly Meeting[], queries: Queries): Table {
  const times = timed({ caliban: caliban(documentsOf(meetings, VERY_MANY)) }, queries);
  return {
    title: `speed: ${VERY_MANY} topics, warm, ms`,
    columns: COLUMNS,
    rows: Object.entries(times).map(([name, measured]) =>
      row(name, measured, { keyword: 3, question: 3 }),
    ),
  };
}

const COLUMNS = ["keyword p50", "p99", "question p50", "p99"];

function notesOn({ keywords, questions }: Queries): readonly string[] {
  return [
    `${keywords.length} keyword queries of one or two words, ${questions.length} questions of eight to twelve, ${PASSES} times each`,
  ];
}

interface Times {
  /** In milliseconds, the shortest first. */
  readonly keywords: readonly number[];
  readonly questions: readonly number[];
}

/** They take turns, pass by pass: what slows the machine down slows them all. */
function timed(
  finders: Readonly<Record<string, FindTopics>>,
  { keywords, questions }: Queries,
): Readonly<Record<string, Times>> {
  const names = Object.keys(finders);
  const all = Object.fromEntries(
    names.map((name) => [name, { keywords: [] as number[], questions: [] as number[] }]),
  );
  for (let pass = -2; pass < PASSES; pass++) {
    for (const [name, find] of Object.entries(finders)) {
      const asked = { keywords: timeEach(find, keywords), questions: timeEach(find, questions) };
      // The first passes fill the caches.
      if (pass < 0) continue;
      all[name]?.keywords.push(...asked.keywords);
      all[name]?.questions.push(...asked.questions);
    }
  }
  return Object.fromEntries(
    Object.entries(all).map(([name, times]) => [
      name,
      { keywords: sorted(times.keywords), questions: sorted(times.questions) },
    ]),
  );
}

function sorted(times: readonly number[]): readonly number[] {
  return times.toSorted((a, b) => a - b);
}

function timeEach(find: FindTopics, queries: readonly string[]): readonly number[] {
  return queries.map((query) => {
    const started = performance.now();
    find(query);
    return performance.now() - started;
  });
}

interface SpeedLimits {
  readonly keyword?: number;
  readonly question?: number;
  readonly slowest?: number;
}

function row(name: string, { keywords, questions }: Times, limits: SpeedLimits): TableRow {
  const { keyword, question, slowest } = limits;
  return {
    name,
    figures: [
      figure(at(keywords, 0.5), keyword),
      figure(at(keywords, 0.99), slowest),
      figure(at(questions, 0.5), question),
      figure(at(questions, 0.99), slowest),
    ],
  };
}

function figure(value: number, most: number | undefined): Figure {
  const limit: Limit | undefined = most === undefined ? most : { kind: "at most", value: most };
  return { value, digits: 3, limit };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function documentsOf(meetings: readonly Meeting[], count: number): readonly SearchDocument[] {
  return makeTopics(meetings, count).map(topicDocument);
}
