import {
  exceededLimits,
  type Figure,
  renderTable,
  type Table,
  type TableRow,
} from "../search/table.ts";
import { type AppliedCase, type CaseSet, type SessionLines, sessionsOf } from "./case.ts";
import { HELD_OUT, TUNING } from "./case-sets.ts";
import { decoySessions } from "./decoys.ts";
import { readMentorProjects } from "./memorycode.ts";
import { openBenchProject } from "./project.ts";
import { type CaseResult, runCases } from "./run-cases.ts";
import { runProgramOnCases } from "./run-program.ts";
import { benchNoteSpeed } from "./speed.ts";

/** Measures whether the right, current memory is shown at the moment it is needed, and nothing else. No model. */
export async function benchApplied(): Promise<readonly string[]> {
  const tables: Table[] = [];
  const show = (table: Table): void => {
    for (const line of renderTable(table)) console.log(line);
    tables.push(table);
  };
  show(await benchArrival());
  show(await benchProgram());
  show(await benchNoteSpeed());
  const exceeded = tables.flatMap(exceededLimits);
  if (exceeded.length === 0) return ["within every limit"];
  process.exitCode = 1;
  return ["limits exceeded:", ...exceeded.map((line) => `  ${line}`)];
}

async function benchArrival(): Promise<Table> {
  const tuning = await runSets(TUNING);
  const heldOut = await runSets(HELD_OUT);
  return {
    title: "Notes with the message and at the first call, in %, in projects with 200 sessions",
    columns: ["cases", "arrive", "amended right", "stale shown", "unrelated shown", "tokens"],
    rows: [
      ...tuning.map(({ name, results }) => toRow(`tuning: ${name}`, results)),
      ...heldOut.map(({ name, results }) => toRow(`held out: ${name}`, results)),
      toRow(
        "held out: all",
        heldOut.flatMap(({ results }) => results),
        LIMITS,
      ),
      toRow("MemoryCode: rules of a mentor", await runMentors(), { stale: MAX_STALE }),
    ],
    notes: ["arrive: of the cases that need a note. stale and unrelated: of all cases."],
  };
}

/** The same in real runs: what the model of the built program receives. */
async function benchProgram(): Promise<Table> {
  const rows: TableRow[] = [];
  for (const set of HELD_OUT) {
    const results = await runProgramOnCases(sessionsOf(set, decoySessions), set.cases);
    rows.push(toRow(`held out: ${set.name}`, results));
  }
  return {
    title: "What reaches the model of the built program until its second request, in %",
    columns: ["cases", "arrive", "amended right", "stale shown", "unrelated shown", "tokens"],
    rows,
    notes: ["Run `pnpm build` first. Each case is a process of its own."],
  };
}

interface Limits {
  readonly arrive?: number;
  readonly unrelated?: number;
  readonly stale: number;
}

const MAX_STALE = 5;
const LIMITS: Limits = { arrive: 90, unrelated: 5, stale: 0 };

interface SetResults {
  readonly name: string;
  readonly results: readonly CaseResult[];
}

/** All cases of a set are in one project, where each is a decoy for the others. */
async function runSets(sets: readonly CaseSet[]): Promise<readonly SetResults[]> {
  const all: SetResults[] = [];
  for (const set of sets)
    all.push({ name: set.name, results: await runIn(sessionsOf(set, decoySessions), set.cases) });
  return all;
}

async function runMentors(): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const { sessions, cases } of readMentorProjects())
    results.push(...(await runIn(sessions, cases)));
  return results;
}

async function runIn(
  sessions: readonly SessionLines[],
  cases: readonly AppliedCase[],
): Promise<readonly CaseResult[]> {
  const project = await openBenchProject({ sessions });
  try {
    return await runCases(project.search, cases);
  } finally {
    project.remove();
  }
}

function toRow(name: string, results: readonly CaseResult[], limits?: Limits): TableRow {
  const expecting = results.filter(({ expectsNote }) => expectsNote);
  const amended = results.filter(({ isAmended }) => isAmended);
  const tokens = results.flatMap((result) => result.tokens);
  return {
    name,
    figures: [
      { value: results.length, digits: 0 },
      {
        value: share(expecting, ({ hasArrived }) => hasArrived),
        digits: 1,
        ...(limits?.arrive === undefined
          ? {}
          : { limit: { kind: "at least" as const, value: limits.arrive } }),
      },
      { value: share(amended, ({ outcome }) => outcome === "right"), digits: 1 },
      {
        value: share(results, ({ outcome }) => outcome === "stale"),
        digits: 1,
        ...atMost(limits?.stale),
      },
      {
        value: share(results, ({ outcome }) => outcome === "unrelated"),
        digits: 1,
        ...atMost(limits?.unrelated),
      },
      {
        value: tokens.reduce((sum, count) => sum + count, 0) / Math.max(1, tokens.length),
        digits: 0,
      },
    ],
  };
}

function share(of: readonly CaseResult[], is: (result: CaseResult) => boolean): number {
  return of.length === 0 ? 0 : (100 * of.filter(is).length) / of.length;
}

function atMost(value: number | undefined): Pick<Figure, "limit"> {
  return value === undefined ? {} : { limit: { kind: "at most", value } };
}
