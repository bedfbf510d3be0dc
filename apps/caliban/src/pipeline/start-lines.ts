import type { ProjectRun } from "@caliban/autonomous-memory/node";
import { terminalSafeLine } from "@caliban/common";

/** One line on the screen about the pipeline. */
export interface PipelineLine {
  readonly tone: "good" | "plain" | "bad";
  readonly text: string;
}

/** The result of a background run as one line on the screen; `undefined` when there is nothing new to report. */
export function startLine(
  { report, lastFailure }: ProjectRun,
  reported: ReadonlySet<string> = new Set(),
): PipelineLine | undefined {
  const { outcome, reason = "", generation, sessionsRead } = report;
  if (outcome === "failed")
    return line("bad", `learning from past sessions failed: ${shorten(reason)}`);
  if (outcome === "skipped")
    return line("plain", `past sessions were not read: ${shorten(reason)}`);
  if (generation !== undefined) {
    const what = sessionsRead === 0 ? "updated" : `learned from ${formatSessions(sessionsRead)}`;
    return {
      tone: "good",
      text: `memory: ${what}; available in the next session (/memory view)`,
    };
  }
  if (outcome === "stopped")
    return line("plain", `learning from past sessions stopped: ${shorten(reason)}`);
  if (lastFailure === undefined || outcome !== "nothing-new") return undefined;
  if (reported.has(lastFailure)) return undefined;
  return line("bad", `learning from past sessions failed last time: ${shorten(lastFailure)}`);
}

function line(tone: PipelineLine["tone"], text: string): PipelineLine {
  return { tone, text: `memory: ${text} (/memory stats)` };
}

/** A number of sessions, such as `1 session`. */
export function formatSessions(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "session" : "sessions"}`;
}

const MAX_REASON_CHARS = 160;

/** Fits into a line; `memory stats` shows the full text. */
function shorten(reason: string): string {
  const text = terminalSafeLine(reason).trim().replace(/\.$/, "");
  if (text === "") return "unknown reason";
  return text.length <= MAX_REASON_CHARS
    ? text
    : `${text.slice(0, MAX_REASON_CHARS - 1).toWellFormed()}…`;
}
