import type { SearchDocument } from "../../../packages/memory/src/search/engine/document.ts";
import type { Meeting } from "../meetings.ts";
import { turnDocuments } from "../quality/turn-documents.ts";
import type { Figure, Limit, Table, TableRow } from "../table.ts";
import { generateTopics, topicDocument } from "../topic-texts.ts";
import { badQueries } from "./bad-queries.ts";
import { percentile, type QueryTimes, slowestOf, timeFinders } from "./query-times.ts";
import { type Queries, queriesOf } from "./queries.ts";
import { caliban, calibanTurns, createFts5Finders, miniSearch } from "./topic-finders.ts";

const COUNT = 10_000;
const LARGE_COUNT = 100_000;
const PASSES = 3;
const COLUMNS = ["keyword p50", "p99", "question p50", "p99"];
const OURS = "caliban";
/** FTS5 without stop words, the faster of the two variants. */
const COMPARED = "FTS5, our stop list";

/** Measures searches in an index that is in memory and warm. */
export function benchSpeed(meetings: readonly Meeting[]): readonly Table[] {
  const queries = queriesOf(meetings);
  const topics = generateTopics(meetings, COUNT).map(topicDocument);
  return [
    benchTopics(topics, queries),
    benchBadQueries(topics),
    benchLargeIndex(meetings, queries),
    benchTurns(meetings, queries),
  ];
}

function benchTopics(documents: readonly SearchDocument[], queries: Queries): Table {
  const sqlite = createFts5Finders(documents);
  const times = timeFinders({
    finders: new Map([
      [OURS, caliban(documents)],
      [COMPARED, sqlite.significantTokens],
      ["FTS5, every word", sqlite.everyWord],
      ["MiniSearch, our stop list and stemmer", miniSearch(documents)],
    ]),
    queries,
    passes: PASSES,
  });
  const { keywords, questions } = queries;
  return {
    title: `speed: ${COUNT} topics, warm, ms`,
    columns: COLUMNS,
    rows: [
      ...Array.from(times, ([name, measured]) =>
        row(name, measured, name === OURS ? { keyword: 0.1, question: 0.5, slowest: 5 } : {}),
      ),
      ratios(`${COMPARED}, divided by ours`, times),
    ],
    notes: [
      `${keywords.length} keyword queries of one or two words, ${questions.length} questions of eight to twelve, ${PASSES} times each`,
    ],
  };
}

function ratios(name: string, times: ReadonlyMap<string, QueryTimes>): TableRow {
  const ratio = (kind: "keywords" | "questions"): Figure => {
    const [ours, theirs] = [OURS, COMPARED].map((of) => times.get(of)?.[kind] ?? []);
    const value = percentile(theirs, 0.5) / percentile(ours, 0.5);
    return { value, digits: 1, limit: { kind: "at least", value: 10 } };
  };
  return { name, figures: [ratio("keywords"), undefined, ratio("questions"), undefined] };
}

/** Measures queries that no user should send, but some program will. */
function benchBadQueries(documents: readonly SearchDocument[]): Table {
  const find = caliban(documents);
  return {
    title: `speed: bad queries among ${COUNT} topics, ms`,
    columns: [`slowest of ${PASSES}`],
    rows: Array.from(badQueries(), ([name, query]) => ({
      name,
      figures: [figure(slowestOf(find, query, PASSES), 100)],
    })),
  };
}

function benchLargeIndex(meetings: readonly Meeting[], queries: Queries): Table {
  const documents = generateTopics(meetings, LARGE_COUNT).map(topicDocument);
  const finders = new Map([[OURS, caliban(documents)]]);
  const times = timeFinders({ finders, queries, passes: PASSES });
  return {
    title: `speed: ${LARGE_COUNT} topics, warm, ms`,
    columns: COLUMNS,
    rows: Array.from(times, ([name, measured]) => row(name, measured, { keyword: 3, question: 3 })),
  };
}

function benchTurns(meetings: readonly Meeting[], queries: Queries): Table {
  const documents = meetings.flatMap(turnDocuments);
  const finders = new Map([[OURS, calibanTurns(documents)]]);
  const times = timeFinders({ finders, queries, passes: PASSES });
  return {
    title: `speed: ${documents.length} turns of ${meetings.length} sessions, warm, ms`,
    columns: COLUMNS,
    rows: Array.from(times, ([name, measured]) => row(name, measured, {})),
  };
}

interface SpeedLimits {
  readonly keyword?: number;
  readonly question?: number;
  readonly slowest?: number;
}

function row(name: string, { keywords, questions }: QueryTimes, limits: SpeedLimits): TableRow {
  const { keyword, question, slowest } = limits;
  return {
    name,
    figures: [
      figure(percentile(keywords, 0.5), keyword),
      figure(percentile(keywords, 0.99), slowest),
      figure(percentile(questions, 0.5), question),
      figure(percentile(questions, 0.99), slowest),
    ],
  };
}

function figure(value: number, max: number | undefined): Figure {
  const limit: Limit | undefined = max === undefined ? max : { kind: "at most", value: max };
  return { value, digits: 3, limit };
}
