import { terminalSafeLine } from "@caliban/common";
import type { PipelineReport } from "../run/pipeline-report.ts";
import type { ProjectRun } from "../store/pipeline-stats.ts";
import { formatCount, formatSpending, type MemoryCommands } from "./format.ts";
import { type GroupInput, type SessionGroup, unreadSessions } from "./session-groups.ts";

export interface RenderRunInput extends GroupInput {
  readonly commands: MemoryCommands;
  /** Whether a memory exists after the run. */
  readonly hasMemory: boolean;
}

/** What a run achieved and cost, and what it left unread, for a user who waited for it. */
export function renderRun({ report, counts }: ProjectRun, input: RenderRunInput): string {
  const skipped = counts === undefined ? [] : unreadSessions(counts, input);
  const unread = Math.max(report.sessionsFailed, counts?.waiting ?? 0);
  const lines = [
    ...renderOutcome(report, input),
    // A failed run already gives this as its reason.
    ...(unread === 0 || report.outcome === "failed"
      ? []
      : [`${formatCount(unread, "session")} could not be read (${input.commands.stats})`]),
    `${formatSpending(report)}, ${(report.elapsedMs / 1000).toFixed(1)} s`,
    ...(report.forgotten === undefined
      ? []
      : [`left out ${formatCount(report.forgotten, "forgotten statement")}`]),
    ...(report.held === undefined ? [] : [`${heldText(report.held)} (${input.commands.inbox})`]),
    ...(skipped.length === 0 ? [] : [`not read: ${renderGroups(skipped, input.commands)}`]),
  ];
  return lines.map((line) => `${terminalSafeLine(line)}\n`).join("");
}

/** Why a run did not complete; `undefined` when it did. */
export function renderFailure({
  outcome,
  reason = "unknown reason",
  sessionsRead,
}: PipelineReport): string | undefined {
  if (outcome === "done" || outcome === "nothing-new") return undefined;
  return `${outcome} after ${formatCount(sessionsRead, "session")}: ${reason}`;
}

function renderOutcome(
  { outcome, sessionsRead, generation }: PipelineReport,
  { hasMemory, commands }: RenderRunInput,
): readonly string[] {
  const unchanged = hasMemory ? "memory is unchanged" : "memory is still empty";
  if (outcome === "nothing-new") return [`nothing new to learn; ${unchanged}`];
  if (outcome !== "done") return [];
  const result =
    generation === undefined
      ? unchanged
      : `new sessions use generation ${generation} (${commands.view})`;
  const read =
    sessionsRead === 0 ? "rebuilt memory" : `read ${formatCount(sessionsRead, "session")}`;
  return [`${read}; ${result}`];
}

function renderGroups(groups: readonly SessionGroup[], commands: MemoryCommands): string {
  const list = groups.map(({ count, label }) => `${count} ${label}`).join(", ");
  const states = new Set(groups.map(({ state }) => state));
  const hints = [
    ...(states.has("tooRecent") ? [`${commands.recent} includes recent sessions`] : []),
    ...(states.has("failed") || states.has("waiting")
      ? [`retry failed ones with: ${commands.retry}`]
      : []),
  ];
  return hints.length === 0 ? list : `${list} (${hints.join("; ")})`;
}

/** One line about a run in the background. */
export interface RunLine {
  readonly tone: "good" | "plain" | "bad";
  readonly text: string;
}

export interface RunLineInput {
  readonly commands: Pick<MemoryCommands, "inbox" | "stats" | "view">;
  /** Messages that the user has already seen. */
  readonly reported?: ReadonlySet<string> | undefined;
}

/** The result of a run in the background as one line; `undefined` when there is nothing new to report. */
export function renderRunLine(
  { report, lastFailure }: ProjectRun,
  { commands, reported }: RunLineInput,
): RunLine | undefined {
  const { outcome, reason = "", generation, held } = report;
  const line = (tone: RunLine["tone"], what: string, why: string): RunLine => ({
    tone,
    text: `memory: ${what}: ${shorten(why)} (${commands.stats})`,
  });
  if (outcome === "failed") return line("bad", "learning from past sessions failed", reason);
  if (outcome === "skipped") return line("plain", "past sessions were not read", reason);
  if (generation !== undefined) return { tone: "good", text: renderLearned(report, commands) };
  if (held !== undefined && outcome === "done") {
    return { tone: "plain", text: `memory: ${heldText(held)} (${commands.inbox})` };
  }
  if (outcome === "stopped") return line("plain", "learning from past sessions stopped", reason);
  if (lastFailure === undefined || outcome !== "nothing-new") return undefined;
  if (reported?.has(lastFailure) === true) return undefined;
  return line("bad", "learning from past sessions failed last time", lastFailure);
}

function renderLearned(
  { sessionsRead, held }: PipelineReport,
  commands: RunLineInput["commands"],
): string {
  const what =
    sessionsRead === 0 ? "updated" : `learned from ${formatCount(sessionsRead, "session")}`;
  const waiting = held === undefined ? "" : `; ${heldText(held)} (${commands.inbox})`;
  return `memory: ${what}; available in the next session (${commands.view})${waiting}`;
}

/** What was not learned, because a session read text that is not the user's. */
function heldText(held: number): string {
  return `${formatCount(held, "statement")} from past sessions ${held === 1 ? "waits" : "wait"} for your review`;
}

const MAX_REASON_CHARS = 160;

/** Fits into a line; the statistics show the full text. */
function shorten(reason: string): string {
  const text = terminalSafeLine(reason).trim().replace(/\.$/, "");
  if (text === "") return "unknown reason";
  return text.length <= MAX_REASON_CHARS
    ? text
    : `${text.slice(0, MAX_REASON_CHARS - 1).toWellFormed()}…`;
}
