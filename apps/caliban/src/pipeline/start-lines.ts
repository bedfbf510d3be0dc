import { terminalSafeLine } from "@caliban/common";
import type { JobEnd } from "./pipeline-job.ts";

/** One line of the screen about what the pipeline did. */
export interface PipelineLine {
  readonly tone: "good" | "plain" | "bad";
  readonly text: string;
}

/** What a person should hear about a run in the background; nothing when there is nothing to say, or it was told. */
export function startLine(
  { report, lastFailure }: JobEnd,
  told: ReadonlySet<string> = new Set(),
): PipelineLine | undefined {
  const { outcome, reason = "", generation, sessionsRead } = report;
  if (outcome === "failed")
    return line("bad", `learning from past sessions failed: ${shortReason(reason)}`);
  if (outcome === "skipped")
    return line("plain", `past sessions were not read: ${shortReason(reason)}`);
  if (generation !== undefined) {
    const what =
      sessionsRead === 0
        ? "what was learned was gone through"
        : `learned from ${sessions(sessionsRead)}`;
    return {
      tone: "good",
      text: `memory: ${what}; the next session sees it (caliban memory view)`,
    };
  }
  if (outcome === "stopped")
    return line("plain", `learning from past sessions stopped: ${shortReason(reason)}`);
  if (lastFailure === undefined || outcome !== "nothing-new") return undefined;
  if (told.has(lastFailure)) return undefined;
  return line("bad", `learning from past sessions failed last time: ${shortReason(lastFailure)}`);
}

function line(tone: PipelineLine["tone"], text: string): PipelineLine {
  return { tone, text: `memory: ${text} (caliban memory stats)` };
}

/** A number of sessions in words. */
export function sessions(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "session" : "sessions"}`;
}

const LONGEST_REASON = 160;

/** What fits into a line; `memory stats` has the whole of it. */
function shortReason(reason: string): string {
  const words = terminalSafeLine(reason).trim().replace(/\.$/, "");
  if (words === "") return "no reason is known";
  return words.length <= LONGEST_REASON
    ? words
    : `${words.slice(0, LONGEST_REASON - 1).toWellFormed()}…`;
}
