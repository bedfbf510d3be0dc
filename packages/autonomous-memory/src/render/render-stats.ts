import {
  type CommandMessage,
  hang,
  shellCommand,
  type SpellCommand,
  spellCommands,
  terminalSafeLine,
  timeAgo,
  wrapLines,
} from "@caliban/common";
import type { CurrentStatus, RejectedCandidate } from "../generation/generations.ts";
import type { PipelineSettings } from "../run/settings.ts";
import type { JobFailure, PipelineStats, RunStats } from "../store/pipeline-stats.ts";
import { formatCount, formatNumber, formatSpending, type MemoryCommands } from "./format.ts";
import { formatQueue } from "./session-groups.ts";

/** The state of learning from past sessions in this project. */
export interface StatsFacts {
  /** Why learning is off. */
  readonly off: string | undefined;
  /** Why no model is available to read sessions. */
  readonly problem: CommandMessage | undefined;
  readonly notices: readonly string[];
  /** The names of the models that read sessions and maintain the memory. */
  readonly models: readonly string[];
  /** Whether rules read sessions instead of a model. */
  readonly isByRules: boolean;
  readonly sources: readonly string[];
  /** `undefined` when nothing ever ran. */
  readonly stats: PipelineStats | undefined;
  readonly current: CurrentStatus | undefined;
  /** The last candidate, if it did not become the current memory. */
  readonly rejected?: RejectedCandidate | undefined;
  /** Absolute paths. */
  readonly directory: string;
  readonly stateFile: string;
  readonly nowMs: number;
  readonly settings: PipelineSettings;
}

export interface RenderStatsInput {
  readonly commands: MemoryCommands;
  /** Formats a path for the user. */
  readonly formatPath: (path: string) => string;
  /** Spells the commands that problems name; as in a shell by default. */
  readonly command?: SpellCommand | undefined;
  /** The width of the terminal. */
  readonly columns?: number | undefined;
}

type Row = readonly [label: string, text: string];

/** The state of learning as a table of two columns, and what failed. */
export function renderStats(facts: StatsFacts, input: RenderStatsInput): string {
  const { stats } = facts;
  const { commands, formatPath, columns } = input;
  const rows: readonly Row[] = [
    ["learning", formatLearning(facts, input)],
    ...facts.notices.map((message): Row => ["note", message]),
    ...runRows(facts),
    ...(stats === undefined ? [] : statsRows(stats, facts, commands)),
    ["memory", formatMemory(facts, input)],
    ...(facts.rejected === undefined ? [] : [rejectedRow(facts.rejected, formatPath)]),
    ["state", stats === undefined ? "none yet" : formatPath(facts.stateFile)],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, text]) => {
    const head = `${label.padEnd(width)}  `;
    return `${hang({ head, text: terminalSafeLine(text), columns })}\n`;
  });
  return lines.join("") + renderFailures(facts, input);
}

function rejectedRow(
  { number, path }: RejectedCandidate,
  formatPath: RenderStatsInput["formatPath"],
): Row {
  return ["rejected", `generation ${number} finds less than the memory above: ${formatPath(path)}`];
}

function formatLearning(
  { off, problem, models, isByRules, sources }: StatsFacts,
  { command = shellCommand }: RenderStatsInput,
): string {
  if (off !== undefined) return `off: ${off}`;
  if (problem !== undefined)
    return `on, but no model available: ${spellCommands(problem, command)}`;
  const [reader = "", keeper = ""] = models;
  const who = reader === keeper ? reader : `${reader}, memory maintained by ${keeper}`;
  const rules = isByRules ? " (by rules; a model learns far more)" : "";
  return `on: sessions of ${sources.join(", ")}, read by ${who}${rules}`;
}

const MAX_EARLIER_RUNS = 3;

/** The last run, and earlier ones except those that did nothing. */
function runRows(facts: StatsFacts): readonly Row[] {
  const [last, ...earlier] = facts.stats?.runs ?? [];
  return [
    ["last run", last === undefined ? "never" : formatRun(last, facts)],
    ...earlier
      .filter(({ outcome }) => outcome !== "nothing-new")
      .slice(0, MAX_EARLIER_RUNS)
      .map((run): Row => ["before that", formatRun(run, facts)]),
  ];
}

function formatRun(run: RunStats, { nowMs, problem }: StatsFacts): string {
  const { startedAtMs, outcome, reason, reasonCode, sessionsRead, hasConsolidated, spent } = run;
  // The first row already explains the problem.
  const isExplained = problem !== undefined && reasonCode === "NO_MODEL";
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

function statsRows(
  stats: PipelineStats,
  { settings }: StatsFacts,
  commands: MemoryCommands,
): readonly Row[] {
  const { extractions, unseenExtractions, consolidation, spentToday, spentInAll } = stats;
  const unseen = unseenExtractions === 0 ? "" : `, ${unseenExtractions} of them not in memory yet`;
  const budget =
    settings.dailyTokenBudget === 0
      ? "no daily budget"
      : `${formatNumber(stats.spentTodayByAll)} of ${formatNumber(settings.dailyTokenBudget)} per day across all projects`;
  const why = consolidation.message === undefined ? "" : `: ${consolidation.message}`;
  return [
    ["sessions", formatQueue(stats.sessions, { settings, commands })],
    ["extracts", `${formatNumber(extractions)}${unseen}`],
    ["update", `${formatUpdate(stats, commands)}${why}`],
    ["spent today", `${formatSpending(spentToday)} (${budget})`],
    ["spent in total", formatSpending(spentInAll)],
  ];
}

function formatUpdate(stats: PipelineStats, { retry }: MemoryCommands): string {
  const { status } = stats.consolidation;
  if (isCleared(stats)) return "memory was cleared";
  return status === "given-up" ? `updating memory failed too often (${retry})` : UPDATES[status];
}

/** Runs are kept when everything else is cleared. */
function isCleared({ consolidation, runs, sessions }: PipelineStats): boolean {
  const hadMemory = sessions.cleared > 0 || runs.some(({ hasConsolidated }) => hasConsolidated);
  return consolidation.status === "never" && hadMemory;
}

const UPDATES = {
  never: "no memory yet",
  clean: "memory is up to date",
  dirty: "memory will be updated by the next run",
  running: "memory is being updated",
  waiting: "updating memory failed and will be retried",
} as const;

function formatMemory(facts: StatsFacts, { formatPath, commands }: RenderStatsInput): string {
  const { current, stats, nowMs } = facts;
  const directory = formatPath(facts.directory);
  if (current === undefined) {
    const since = stats !== undefined && isCleared(stats) ? "since it was cleared" : "yet";
    return `nothing learned ${since}; will be stored in ${directory}`;
  }
  const missing = missingGeneration(current, commands);
  if (missing !== undefined) return `${missing}, in ${directory}`;
  const { generation, madeAtMs, sinceMs } = current;
  const isRestored = sinceMs - madeAtMs > MINUTE_MS;
  const restored = isRestored ? ` and restored ${timeAgo(sinceMs, nowMs)}` : "";
  return `generation ${generation}, written ${timeAgo(madeAtMs, nowMs)}${restored}, in ${directory}`;
}

/** Why new sessions get nothing although something was learned; `undefined` when they do. */
export function missingGeneration(
  { generation, exists }: CurrentStatus,
  { clear }: Pick<MemoryCommands, "clear">,
): string | undefined {
  if (exists) return undefined;
  const what =
    generation === undefined
      ? "`current` does not name a generation"
      : `generation ${generation} does not exist`;
  return `${what}, so new sessions do not get it (start over with: ${clear})`;
}

/** A message without its final period, to be continued. */
function withoutPeriod(message: string): string {
  return message.trimEnd().replace(/\.$/, "");
}

const MAX_FAILURES = 10;

function renderFailures(
  { stats, nowMs }: StatsFacts,
  { commands, columns }: RenderStatsInput,
): string {
  const failures = stats?.failures ?? [];
  if (failures.length === 0) return "";
  const lines = failures
    .slice(0, MAX_FAILURES)
    .map((failure) => `  ${terminalSafeLine(formatFailure(failure, nowMs))}`)
    .map((line) => `${wrapLines(line, columns)}\n`);
  const more = failures.length - lines.length;
  const rest = more > 0 ? `  … and ${more} more (all with --json)\n` : "";
  return `\nFailures (to retry them, run: ${commands.retry}):\n${lines.join("")}${rest}`;
}

const MINUTE_MS = 60_000;

function formatFailure(
  { threadId = "updating memory", message, attempts, retryAtMs }: JobFailure,
  nowMs: number,
): string {
  const next = retryAtMs === undefined ? "given up" : formatRetry(retryAtMs - nowMs);
  // Failures with an external cause do not count as attempts.
  const tried = attempts === 0 ? "" : `${formatCount(attempts, "attempt")}, `;
  return `${threadId}: ${message} (${tried}${next})`;
}

function formatRetry(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes <= 0 ? "retried by the next run" : `retried in ${minutes} min at the earliest`;
}
