import type {
  DueCounts,
  JobFailure,
  PipelineSettings,
  PipelineStats,
  RunStats,
  Spending,
} from "@caliban/autonomous-memory";
import type { CurrentStatus } from "@caliban/autonomous-memory/node";
import {
  hang,
  type SpellCommand,
  spellCommands,
  terminalSafeLine,
  timeAgo,
  wrapLines,
} from "@caliban/common";
import type { ModelDiagnostic } from "@caliban/providers";
import { noModelReason } from "../../../pipeline/pipeline-job.ts";

/** The state of learning from past sessions in this project. */
export interface StatsFacts {
  /** Why learning is off. */
  readonly off: string | undefined;
  /** Why no model is available to read sessions. */
  readonly problem: ModelDiagnostic | undefined;
  readonly notices: readonly string[];
  /** The names of the models that read sessions and maintain the memory. */
  readonly models: readonly string[];
  readonly sources: readonly string[];
  /** `undefined` when nothing ever ran. */
  readonly stats: PipelineStats | undefined;
  readonly current: CurrentStatus | undefined;
  /** Absolute paths. */
  readonly directory: string;
  readonly stateFile: string;
  readonly nowMs: number;
  readonly settings: PipelineSettings;
}

type Row = readonly [label: string, text: string];

/** How the facts are shown. */
export interface StatsDisplay {
  readonly formatPath: (path: string) => string;
  readonly command: SpellCommand;
  /** The width of the terminal. */
  readonly columns?: number | undefined;
}

type ShownFacts = StatsFacts & StatsDisplay;

/** A table of two columns. */
export function renderStats(known: StatsFacts, display: StatsDisplay): string {
  const facts: ShownFacts = { ...known, ...display };
  const { stats, formatPath } = facts;
  const rows: readonly Row[] = [
    ["learning", formatLearning(facts)],
    ...facts.notices.map((message): Row => ["note", message]),
    ["last run", formatLastRun(facts)],
    ...earlierRuns(facts),
    ...(stats === undefined ? [] : statsRows(stats, facts)),
    ["memory", formatMemory(facts)],
    ["state", stats === undefined ? "none yet" : formatPath(facts.stateFile)],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, row]) => {
    const head = `${label.padEnd(width)}  `;
    return `${hang({ head, text: terminalSafeLine(row), columns: facts.columns })}\n`;
  });
  return lines.join("") + renderFailures(stats?.failures ?? [], facts);
}

function formatLearning({ off, problem, models, sources, command }: ShownFacts): string {
  if (off !== undefined) return `off: ${off}`;
  if (problem !== undefined)
    return `on, but no model available: ${spellCommands(problem, command)}`;
  const [reader = "", keeper = ""] = models;
  const who = reader === keeper ? reader : `${reader}, memory maintained by ${keeper}`;
  const rules = reader.startsWith("offline/") ? " (by rules; a model learns far more)" : "";
  return `on: sessions of ${sources.join(", ")}, read by ${who}${rules}`;
}

function formatLastRun(facts: StatsFacts): string {
  const last = facts.stats?.runs[0];
  return last === undefined ? "never" : formatRun(last, facts);
}

const MAX_EARLIER_RUNS = 3;

/** Earlier runs, except those that did nothing. */
function earlierRuns(facts: StatsFacts): readonly Row[] {
  return (facts.stats?.runs ?? [])
    .slice(1)
    .filter(({ outcome }) => outcome !== "nothing-new")
    .slice(0, MAX_EARLIER_RUNS)
    .map((run): Row => ["before that", formatRun(run, facts)]);
}

function formatRun(run: RunStats, { nowMs, problem }: StatsFacts): string {
  const { startedAtMs, outcome, reason, sessionsRead, hasConsolidated, spent } = run;
  // The first row already explains the problem.
  const isExplained = problem !== undefined && reason === noModelReason({ problem });
  const shown = isExplained ? "no model available" : reason;
  const why = shown === undefined ? "" : `: ${withoutPeriod(shown)}`;
  const done = [
    ...(sessionsRead === 0 ? [] : [`${formatCount(sessionsRead, "session")} read`]),
    ...(hasConsolidated ? ["memory updated"] : []),
    ...(spent.requests === 0 ? [] : [formatSpending(spent)]),
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
  unknown: "running, or killed",
} as const;

function statsRows(stats: PipelineStats, { settings, command }: ShownFacts): readonly Row[] {
  const { extractions, unseenExtractions, consolidation, spentToday, spentInAll } = stats;
  const unseen = unseenExtractions === 0 ? "" : `, ${unseenExtractions} of them not in memory yet`;
  const budget =
    settings.dailyTokenBudget === 0
      ? "no daily budget"
      : `${formatNumber(stats.spentTodayByAll)} of ${formatNumber(settings.dailyTokenBudget)} per day across all projects`;
  const why = consolidation.message === undefined ? "" : `: ${consolidation.message}`;
  const retry = consolidation.status === "given-up" ? ` (${command("memory retry")})` : "";
  return [
    ["sessions", formatQueue(stats.sessions, settings)],
    ["extracts", `${formatNumber(extractions)}${unseen}`],
    ["update", `${isCleared(stats) ? CLEARED : CONSOLIDATION[consolidation.status]}${retry}${why}`],
    ["spent today", `${formatSpending(spentToday)} (${budget})`],
    ["spent in total", formatSpending(spentInAll)],
  ];
}

const CLEARED = "memory was cleared";

/** Runs are kept when everything else is cleared. */
function isCleared({ consolidation, runs, sessions }: PipelineStats): boolean {
  const hadMemory = sessions.cleared > 0 || runs.some(({ hasConsolidated }) => hasConsolidated);
  return consolidation.status === "never" && hadMemory;
}

const CONSOLIDATION = {
  never: "no memory yet",
  clean: "memory is up to date",
  dirty: "memory will be updated by the next run",
  running: "memory is being updated",
  waiting: "updating memory failed and will be retried",
  "given-up": "updating memory failed too often",
} as const;

/** The number of sessions by state. */
export function formatQueue(counts: DueCounts, settings: PipelineSettings): string {
  const groups: readonly Omit<SessionGroup, "kind">[] = [
    { count: counts.due, label: "to be read" },
    { count: counts.running, label: "being read" },
    { count: counts.upToDate, label: "read" },
    ...skippedSessions(counts, settings),
  ];
  const shown = groups.filter(({ count }) => count > 0);
  if (shown.length === 0) return "none known yet";
  return shown.map(({ count, label }) => `${formatNumber(count)} ${label}`).join(", ");
}

/** Sessions in the same state. */
export interface SessionGroup {
  readonly kind:
    | "due"
    | "running"
    | "recent"
    | "old"
    | "opted-out"
    | "cleared"
    | "waiting"
    | "failed";
  readonly count: number;
  readonly label: string;
}

/** Sessions that are not read, and why. */
export function skippedSessions(
  counts: DueCounts,
  settings: PipelineSettings,
): readonly SessionGroup[] {
  const hours = settings.minRolloutIdleHours;
  const recent =
    hours === 0
      ? "in progress"
      : `active within the last ${hours === 1 ? "hour" : `${hours} hours`}`;
  const days = settings.maxRolloutAgeDays;
  return [
    { kind: "recent", count: counts.tooRecent, label: recent },
    {
      kind: "old",
      count: counts.tooOld,
      label: `older than ${days === 1 ? "a day" : `${days} days`}`,
    },
    { kind: "opted-out", count: counts.optedOut, label: "excluded (--no-learn or --no-memory)" },
    { kind: "cleared", count: counts.cleared, label: "cleared" },
    { kind: "waiting", count: counts.waiting, label: "waiting to be retried" },
    { kind: "failed", count: counts.failed, label: "given up" },
  ];
}

function formatMemory(facts: ShownFacts): string {
  const { current, stats, nowMs, command } = facts;
  const directory = facts.formatPath(facts.directory);
  if (current === undefined) {
    const since = stats !== undefined && isCleared(stats) ? "since it was cleared" : "yet";
    return `nothing learned ${since}; will be stored in ${directory}`;
  }
  const missing = missingGeneration(current, command);
  if (missing !== undefined) return `${missing}, in ${directory}`;
  const { generation, madeAtMs, sinceMs } = current;
  const isRestored = sinceMs - madeAtMs > MINUTE_MS;
  const restored = isRestored ? ` and restored ${timeAgo(sinceMs, nowMs)}` : "";
  return `generation ${generation}, written ${timeAgo(madeAtMs, nowMs)}${restored}, in ${directory}`;
}

/** Why new sessions get nothing although something was learned; `undefined` when they do. */
export function missingGeneration(
  { generation, exists }: CurrentStatus,
  command: SpellCommand,
): string | undefined {
  if (exists) return undefined;
  const what =
    generation === undefined
      ? "`current` does not name a generation"
      : `generation ${generation} does not exist`;
  return `${what}, so new sessions do not get it (start over with: ${command("memory clear")})`;
}

/** A message without its final period, to be continued. */
function withoutPeriod(message: string): string {
  return message.trimEnd().replace(/\.$/, "");
}

const MAX_FAILURES = 10;

function renderFailures(
  failures: readonly JobFailure[],
  { nowMs, command, columns }: ShownFacts,
): string {
  if (failures.length === 0) return "";
  const lines = failures.slice(0, MAX_FAILURES).map((failure) => {
    const { threadId, message, attempts, retryAtMs } = failure;
    const what = threadId ?? "updating memory";
    const next = retryAtMs === undefined ? "given up" : formatRetry(retryAtMs - nowMs);
    // Failures with an external cause do not count as attempts.
    const tried = attempts === 0 ? "" : `${formatCount(attempts, "attempt")}, `;
    const line = `  ${terminalSafeLine(what)}: ${terminalSafeLine(message)} (${tried}${next})`;
    return `${wrapLines(line, columns)}\n`;
  });
  const more = failures.length - lines.length;
  const rest = more > 0 ? `  … and ${more} more (all with --json)\n` : "";
  return `\nFailures (to retry them, run: ${command("memory retry")}):\n${lines.join("")}${rest}`;
}

const MINUTE_MS = 60_000;

function formatRetry(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes <= 0 ? "retried by the next run" : `retried in ${minutes} min at the earliest`;
}

/** Requests and tokens, such as `2 requests, 1,200 tokens`. */
export function formatSpending({ requests, inputTokens, outputTokens }: Spending): string {
  return `${formatCount(requests, "request")}, ${formatNumber(inputTokens + outputTokens)} tokens`;
}

function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function formatNumber(count: number): string {
  return count.toLocaleString("en-US");
}
