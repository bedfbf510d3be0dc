import {
  exceededLimits,
  type Figure,
  renderTable,
  type Table,
  type TableRow,
} from "../search/table.ts";
import type { AppliedCase } from "./case.ts";
import { sessionsOf } from "./case.ts";
import { DEVICES } from "./cases/devices.ts";
import { HELD_OUT } from "./cases/held-out.ts";
import { SHOP } from "./cases/shop.ts";
import { type Area, decoySessions, DEVICE_AREAS, SHOP_AREAS } from "./decoys.ts";
import { readMentorProjects } from "./memorycode.ts";
import { openBenchProject } from "./project.ts";
import { type CaseResult, runCases } from "./run-cases.ts";
import { benchNoteSpeed } from "./speed.ts";

const SESSIONS = 200;

/** Measures whether the right, current memory is shown at the moment it is needed, and nothing else. No model. */
export async function benchApplied(): Promise<readonly string[]> {
  const tables: Table[] = [];
  const show = (table: Table): void => {
    for (const line of renderTable(table)) console.log(line);
    tables.push(table);
  };
  show(await benchArrival());
  show(await benchNoteSpeed());
  const exceeded = tables.flatMap(exceededLimits);
  if (exceeded.length === 0) return ["within every limit"];
  process.exitCode = 1;
  return ["limits exceeded:", ...exceeded.map((line) => `  ${line}`)];
}

async function benchArrival(): Promise<Table> {
  const device = [...DEVICES, ...HELD_OUT];
  const together = await runTogether(device, DEVICE_AREAS);
  return {
    title: `Notes with the message and at the first call, in %`,
    columns: ["cases", "arrive", "amended right", "stale shown", "unrelated shown", "tokens"],
    rows: [
      toRow("tuning: a shop, each case among 200 sessions", await runAlone(SHOP, SHOP_AREAS)),
      toRow("tuning: devices, each case among 200 sessions", await runAlone(DEVICES, DEVICE_AREAS)),
      toRow(
        "held out: devices, each case among 200 sessions",
        await runAlone(HELD_OUT, DEVICE_AREAS),
        LIMITS,
      ),
      toRow("tuning: a shop, all cases in one project", await runTogether(SHOP, SHOP_AREAS)),
      toRow("tuning: devices, all cases in one project", together.slice(0, DEVICES.length)),
      toRow("held out: devices, all cases in one project", together.slice(DEVICES.length)),
      toRow("MemoryCode: rules of a mentor", await runMentors(), { stale: MAX_STALE }),
    ],
    notes: ["arrive: of the cases that need a note. stale and unrelated: of all cases."],
  };
}

interface Limits {
  readonly arrive?: number;
  readonly unrelated?: number;
  readonly stale: number;
}

const MAX_STALE = 5;
const LIMITS: Limits = { arrive: 90, unrelated: 5, stale: 0 };

/** Each case in a project of its own. */
async function runAlone(
  cases: readonly AppliedCase[],
  areas: readonly Area[],
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const each of cases) {
    const own = sessionsOf(each);
    const decoys = decoySessions(areas, SESSIONS - own.length);
    results.push(...(await runIn([...own, ...decoys], [each])));
  }
  return results;
}

/** All cases in one project, where each is a decoy for the others. */
async function runTogether(
  cases: readonly AppliedCase[],
  areas: readonly Area[],
): Promise<readonly CaseResult[]> {
  const own = cases.flatMap(sessionsOf);
  return await runIn([...own, ...decoySessions(areas, SESSIONS - own.length)], cases);
}

async function runMentors(): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const { sessions, cases } of readMentorProjects())
    results.push(...(await runIn(sessions, cases)));
  return results;
}

async function runIn(
  sessions: Parameters<typeof openBenchProject>[0]["sessions"],
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
  const share = (of: readonly CaseResult[], is: (result: CaseResult) => boolean): number =>
    of.length === 0 ? 0 : (100 * of.filter(is).length) / of.length;
  const atMost = (value: number | undefined): Pick<Figure, "limit"> =>
    value === undefined ? {} : { limit: { kind: "at most", value } };
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
