import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createSearchIndex } from "../../../packages/memory/src/search/engine/search-index.ts";
import type { Meeting } from "../meetings.ts";
import type { Figure, Limit, Table } from "../table.ts";
import { mean, measure, type Measures, TOP } from "./measures.ts";
import { turnDocuments } from "./turn-documents.ts";
import { TURN_FINDERS } from "./turn-finders.ts";

const NDCG_LIMIT: Limit = { kind: "at least", value: 39 };
/** The engine that the limit applies to, and whose turns are logged. */
const OURS = "caliban";
const COLUMNS = [`nDCG@${TOP}`, `recall@${TOP}`, `MRR@${TOP}`];

interface EvaluatedQuestion {
  readonly meeting: string;
  readonly query: string;
  readonly gold: number;
  readonly measures: Readonly<Record<string, Measures>>;
  readonly ours: readonly number[];
}

/** Measures how well several engines find the turns that answer questions about meetings, and logs every question. */
export function benchQuality(meetings: readonly Meeting[], logPath: string): readonly Table[] {
  const evaluated = meetings.flatMap(evaluateMeeting);
  writeLog(evaluated, logPath);
  const rows = Object.keys(TURN_FINDERS).map((name) => {
    const all = evaluated.flatMap(({ measures }) => measures[name] ?? []);
    return { name, figures: percents(all, name === OURS ? NDCG_LIMIT : undefined) };
  });
  return [
    {
      title: `quality: ${evaluated.length} questions about ${meetings.length} meetings, each meeting searched alone`,
      columns: COLUMNS,
      rows,
      notes: [`every question: ${logPath}`],
    },
    benchPooled(meetings),
  ];
}

function evaluateMeeting(meeting: Meeting): readonly EvaluatedQuestion[] {
  const finders = Object.entries(TURN_FINDERS).map(([name, make]) => ({
    name,
    find: make(meeting),
  }));
  return meeting.questions.map(({ query, gold }) => {
    const found = Object.fromEntries(finders.map(({ name, find }) => [name, find(query)]));
    const measures = Object.fromEntries(
      Object.entries(found).map(([name, turns]) => [name, measure(turns, gold)]),
    );
    return { meeting: meeting.name, query, gold: gold.size, measures, ours: found[OURS] ?? [] };
  });
}

function writeLog(evaluated: readonly EvaluatedQuestion[], path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const lines = evaluated.map(({ meeting, query, gold, measures, ours }) => {
    const ndcg = Object.fromEntries(
      Object.entries(measures).map(([name, measured]) => [name, rounded(measured.ndcg)]),
    );
    return `${JSON.stringify({ meeting, query, gold, ndcg, turns: ours })}\n`;
  });
  writeFileSync(path, lines.join(""));
}

/** Puts all meetings into one index, and measures whether the right meeting is found. */
function benchPooled(meetings: readonly Meeting[]): Table {
  const index = createSearchIndex(meetings.flatMap(turnDocuments));
  const questions = meetings.flatMap(({ name, questions: own }) =>
    own.map((question) => ({ name, question })),
  );
  const found = questions.map(({ name, question }) => {
    const { turns, sessions } = index.search(question.query, { kind: "sessions", limit: TOP });
    // A turn of another meeting never counts, whatever its number.
    const numbers = turns.map(({ session, turn }) => (session === name ? turn : -1));
    return {
      measured: measure(numbers, question.gold),
      rank: sessions.findIndex(({ session }) => session === name),
    };
  });
  const shareAmong = (maxRank: number): number =>
    mean(found.map(({ rank }) => (rank !== -1 && rank < maxRank ? 1 : 0)));
  const { length } = meetings.flatMap(({ turns }) => turns);
  return {
    title: `quality: all ${meetings.length} meetings in one index, ${length} turns`,
    columns: [...COLUMNS, "meeting first", "among first 5"],
    rows: [
      {
        name: OURS,
        figures: [
          ...percents(found.map(({ measured }) => measured)),
          percent(shareAmong(1)),
          percent(shareAmong(5)),
        ],
      },
    ],
    notes: ["Many questions fit more than one meeting."],
  };
}

function percents(all: readonly Measures[], limit?: Limit): readonly Figure[] {
  return [
    percent(mean(all.map(({ ndcg }) => ndcg)), limit),
    percent(mean(all.map(({ recall }) => recall))),
    percent(mean(all.map(({ reciprocalRank }) => reciprocalRank))),
  ];
}

function percent(share: number, limit?: Limit): Figure {
  return { value: share * 100, digits: 2, limit };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
