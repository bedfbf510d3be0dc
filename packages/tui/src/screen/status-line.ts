import { bytesToTokens } from "@caliban/common";
import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import { fitLines } from "../fit-lines.ts";
import type { Theme } from "../theme.ts";
import type { ScreenState } from "./screen-state.ts";

interface StatusViewInput {
  readonly theme: Theme;
  readonly state: () => ScreenState;
  readonly now: () => number;
}

/** The spinner while the agent works, and the messages that wait in the queue. */
export function createStatusView({ theme, state, now }: StatusViewInput): Component {
  const lines = (width: number): readonly string[] => {
    const { work, queued, isEnded } = state();
    if (isEnded) return [];
    const waiting = queued.map((text) => {
      const line = `  queued: ${text.replaceAll(/\s+/g, " ")}`;
      return theme.dim(truncateToWidth(line, width, "…"));
    });
    if (work === undefined) return ["", ...waiting];
    const { startedAt, streamedCharacters, ...rest } = work;
    const outputTokens = rest.outputTokens + bytesToTokens(streamedCharacters);
    const elapsedMs = now() - startedAt;
    return ["", renderWork({ ...rest, outputTokens, elapsedMs }, { theme, width }), ...waiting];
  };
  return { render: (width) => fitLines(lines(width), width), invalidate: () => undefined };
}

/** What the status line shows while a turn runs. */
export interface Work {
  readonly elapsedMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether the user has interrupted it. */
  readonly isStopping: boolean;
  /** Shown instead of time and tokens. */
  readonly progress?: string | undefined;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

/** The line with the spinner. Its frame depends on the elapsed time only. */
export function renderWork(
  work: Work,
  { theme, width }: { readonly theme: Theme; readonly width: number },
): string {
  const { elapsedMs, inputTokens, outputTokens, isStopping, progress } = work;
  const frame = FRAMES[Math.floor(elapsedMs / FRAME_MS) % FRAMES.length] ?? "";
  // The provider reports the input at the end of the first request, so it is not known before.
  const counts = [
    ...(inputTokens === 0 ? [] : [`↑ ${shortCount(inputTokens)}`]),
    ...(inputTokens + outputTokens === 0 ? [] : [`↓ ${shortCount(outputTokens)}`]),
  ];
  const tokens = counts.length === 0 ? [] : [`${counts.join(" ")} tokens`];
  const amounts = progress === undefined ? [shortTime(elapsedMs), ...tokens] : [progress];
  const parts = isStopping ? ["Stopping"] : ["Working", ...amounts, "Ctrl-C to interrupt"];
  const text = truncateToWidth(parts.join(" · "), Math.max(1, width - 2), "…");
  return `${theme.accent(frame)} ${theme.dim(text)}`;
}

/** `950`, `1.2k`, `34k`. */
function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const thousands = count / 1000;
  return thousands < 10 ? `${thousands.toFixed(1)}k` : `${Math.round(thousands)}k`;
}

/** `8s`, `1m 05s`. */
function shortTime(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  if (seconds < 60) return `${seconds}s`;
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`;
}
