import { truncateToWidth } from "@earendil-works/pi-tui";
import { shortCount, shortTime } from "./amounts.ts";
import type { Theme } from "../theme.ts";

/** What is going on while a turn runs. */
export interface Work {
  readonly elapsedMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether the person has asked for it to end. */
  readonly isStopping: boolean;
  /** Takes the place of time and tokens. */
  readonly progress?: string | undefined;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

/** The line with the spinner. The sign follows from the time alone. */
export function renderWork(
  work: Work,
  { theme, width }: { readonly theme: Theme; readonly width: number },
): string {
  const { elapsedMs, inputTokens, outputTokens, isStopping, progress } = work;
  const frame = FRAMES[Math.floor(elapsedMs / FRAME_MS) % FRAMES.length] ?? "";
  const tokens =
    inputTokens + outputTokens === 0
      ? []
      : [`↑ ${shortCount(inputTokens)} ↓ ${shortCount(outputTokens)} tokens`];
  const amounts = progress === undefined ? [shortTime(elapsedMs), ...tokens] : [progress];
  const parts = isStopping ? ["Stopping"] : ["Working", ...amounts, "Ctrl-C interrupts"];
  const text = truncateToWidth(parts.join(" · "), Math.max(1, width - 2), "…");
  return `${theme.accent(frame)} ${theme.dim(text)}`;
}
