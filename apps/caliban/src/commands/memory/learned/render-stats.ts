import type { ModelDiagnostic } from "@caliban/providers";
import type {
  DueCounts,
  JobFailure,
  PipelineSettings,
  PipelineStats,
  RunStats,
  Spending,
} from "@caliban/autonomous-memory";
import { terminalSafeLine } from "@caliban/common";
import { timeAgo } from "@caliban/common";
import type { CurrentStatus } from "@caliban/autonomous-memory/node";

/** What is known about learning from past sessions in this project. */
export interface StatsFacts {
  /** Why it does not happen, by a switch. */
  readonly off: string | undefined;
  /** Why there is no model to read with. */
  readonly problem: ModelDiagnostic | undefined;
  readonly notices: readonly string[];
  /** Who reads, and who keeps the memory. */
  readonly models: readonly string[];
  readonly sources: readonly string[];
  /** `undefined` when nothing ever ran. */
  readonly stats: PipelineStats | undefined;
  readonly current: CurrentStatus | undefined;
  /** Whole paths. */
  readonly directory: string;
  readonly stateFile: string;
  readonly nowMs: number;
  readonly settings: PipelineSettings;
}

type Row = readonly [label: string, text: string];

/** A table of two columns for people, with paths as they are shown to them. */
export function renderStats(facts: StatsFacts, shown: (path: string) => string): string {
  const { stats } = facts;
  const rows: readonly Row[] = [
    ["learning", learningWords(facts)],
    ...facts.notices.map((sentence): Row => ["note", sentence]),
    ["last run", lastRun(stats?.runs ?? [], facts.nowMs)],
    ...earlierRuns(stats?.runs ?? [], facts.nowMs),
    ...(stats === undefined ? [] : statsRows(stats, facts)),
    ["memory", memoryWords(facts, shown(facts.directory))],
    ["state", stats === undefined ? "none yet" : shown(facts.stateFile)],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, text]) => `${label.padEnd(width)}  ${terminalSafeLine(text)}\n`);
  return lines.join("") + failureLines(stats?.failures ?? [], facts.nowMs);
}

function learningWords({ off, problem, models, sources }: StatsFacts): string {
  if (off !== undefined) return `off: ${off}`;
  if (problem !== undefined) return `on, but there is no model to read with: ${problem.message}`;
  const [reader = "", keeper = ""] = models;
  const who = reader === keeper ? reader : `${reader}, and ${keeper} for what comes of it`;
  const rules = reader.startsWith("offline/") ? " (by rules; a model learns far more)" : "";
  return `on: sessions of ${sources.join(", ")}, read by ${who}${rules}`;
}

function lastRun(runs: readonly RunStats[], nowMs: number): string {
  const [last] = runs;
  return last === undefined ? "never" : runWords(last, nowMs);
}

const MOST_EARLIER = 3;

/** Those that did nothing say nothing. */
function earlierRuns(runs: readonly RunStats[], nowMs: number): readonly Row[] {
  return runs
    .slice(1)
    .filter(({ outcome }) => outcome !== "nothing-new")
    .slice(0, MOST_EARLIER)
    .map((run): Row => ["before that", runWords(run, nowMs)]);
}

function runWords(run: RunStats, nowMs: number): string {
  const { startedAtMs, outcome, reason, sessionsRead, hasConsolidated, spent } = run;
  const why = reason === undefined ? "" : `: ${withoutStop(reason)}`;
  const done = [
    ...(sessionsRead === 0 ? [] : [`${count(sessionsRead, "session")} read`]),
    ...(hasConsolidated ? ["memory brought up to date"] : []),
    ...(spent.requests === 0 ? [] : [spentWords(spent)]),
  ];
  const parts = [
    `${timeAgo(startedAtMs, nowMs)}, ${OUTCOMES[outcome ?? "unknown"]}${why}`,
    ...done,
  ];
  return parts.join("; ");
}

const OUTCOMES = {
  done: "done",
  "nothing-new": "nothing new",
  skipped: "skipped",
  stopped: "stopped",
  failed: "FAILED",
  unknown: "under way, or ended by force",
} as const;

function statsRows(stats: PipelineStats, { settings }: StatsFacts): readonly Row[] {
  const { extractions, unseenExtractions, consolidation, spentToday, spentInAll } = stats;
  const unseen = unseenExtractions === 0 ? "" : `, ${unseenExtractions} of them not yet in memory`;
  const budget =
    settings.dailyTokenBudget === 0
      ? "no daily budget"
      : `${grouped(stats.spentTodayByAll)} of ${grouped(settings.dailyTokenBudget)} a day over all projects`;
  const { message: sentence } = consolidation;
  const why = sentence === undefined ? "" : `: ${sentence}`;
  return [
    ["sessions", queueWords(stats.sessions, settings)],
    ["extracts", `${grouped(extractions)}${unseen}`],
    ["update", `${isCleared(stats) ? CLEARED : CONSOLIDATION[consolidation.status]}${why}`],
    ["spent today", `${spentWords(spentToday)} (${budget})`],
    ["spent in all", spentWords(spentInAll)],
  ];
}

const CLEARED = "memory was cleared";

/** The runs are kept when the rest is forgotten. */
function isCleared({ consolidation, runs, sessions }: PipelineStats): boolean {
  const wasMade = sessions.cleared > 0 || runs.some(({ hasConsolidated }) => hasConsolidated);
  return consolidation.status === "never" && wasMade;
}

const CONSOLIDATION = {
  never: "memory was never made",
  clean: "memory has everything",
  dirty: "memory is brought up to date at the next start",
  running: "memory is being brought up to date",
  waiting: "bringing memory up to date failed and waits to be tried again",
  "given-up": "bringing memory up to date was given up (caliban memory retry)",
} as const;

/** How many sessions there are and what is to happen to them, the larger part first. */
export function queueWords(counts: DueCounts, settings: PipelineSettings): string {
  const parts = (
    [
      [counts.due, "to be read"],
      [counts.running, "being read"],
      [counts.upToDate, "read"],
      ...leftOut(counts, settings),
    ] as const
  ).filter(([number]) => number > 0);
  if (parts.length === 0) return "none known yet";
  return parts.map(([number, words]) => `${grouped(number)} ${words}`).join(", ");
}

/** Those that are not read, and why. */
export function leftOut(
  counts: DueCounts,
  settings: PipelineSettings,
): readonly (readonly [number, string])[] {
  const hours = settings.minRolloutIdleHours;
  const recent =
    hours === 0 ? "going on" : `used within the last ${hours === 1 ? "hour" : `${hours} hours`}`;
  const days = settings.maxRolloutAgeDays;
  return [
    [counts.tooRecent, recent],
    [counts.tooOld, `older than ${days === 1 ? "a day" : `${days} days`}`],
    [counts.optedOut, "kept out (--no-learn or --no-memory)"],
    [counts.cleared, "cleared"],
    [counts.waiting, "waiting to be tried again"],
    [counts.failed, "given up"],
  ];
}

function memoryWords({ current, stats, nowMs }: StatsFacts, directory: string): string {
  if (current === undefined) {
    const since = stats !== undefined && isCleared(stats) ? "since it was cleared" : "yet";
    return `nothing learned ${since}; it will be in ${directory}`;
  }
  const missing = missingGeneration(current);
  if (missing !== undefined) return `${missing}, in ${directory}`;
  const { generation, madeAtMs, sinceMs } = current;
  const isPutBack = sinceMs - madeAtMs > MINUTE_MS;
  const back = isPutBack ? ` and put back ${timeAgo(sinceMs, nowMs)}` : "";
  return `generation ${generation}, made ${timeAgo(madeAtMs, nowMs)}${back}, in ${directory}`;
}

/** Why new sessions get nothing although something was learned; `undefined` when they get it. */
export function missingGeneration({ generation, exists: isThere }: CurrentStatus): string | undefined {
  if (isThere) return undefined;
  const what =
    generation === undefined
      ? "`current` names no generation"
      : `generation ${generation} is not there`;
  return `${what}, so new sessions get nothing of it (\`caliban memory clear\` starts anew)`;
}

/** A sentence that goes on. */
export function withoutStop(sentence: string): string {
  return sentence.trimEnd().replace(/\.$/, "");
}

const MOST_FAILURES = 10;

function failureLines(failures: readonly JobFailure[], nowMs: number): string {
  if (failures.length === 0) return "";
  const lines = failures.slice(0, MOST_FAILURES).map((failure) => {
    const { threadId, message: sentence, attempts, retryAtMs } = failure;
    const what = threadId ?? "bringing memory up to date";
    const next = retryAtMs === undefined ? "given up" : `again ${inWords(retryAtMs - nowMs)}`;
    // What was not its fault was no attempt.
    const tried = attempts === 0 ? "" : `${count(attempts, "attempt")}, `;
    return `  ${terminalSafeLine(what)}: ${terminalSafeLine(sentence)} (${tried}${next})\n`;
  });
  const more = failures.length - lines.length;
  const rest = more > 0 ? `  … and ${more} more (--json has all)\n` : "";
  return `\nWhat failed; \`caliban memory retry\` gives it new attempts:\n${lines.join("")}${rest}`;
}

const MINUTE_MS = 60_000;

function inWords(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes <= 0 ? "at the next start" : `in ${minutes} min at the earliest`;
}

/** Requests and tokens in words. */
export function spentWords({ requests, inputTokens, outputTokens }: Spending): string {
  return `${count(requests, "request")}, ${grouped(inputTokens + outputTokens)} tokens`;
}

function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function grouped(number: number): string {
  return number.toLocaleString("en-US");
}
