import { terminalSafeLine } from "@caliban/common";
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { Theme } from "../theme.ts";

/** What stands under the prompt. */
export interface FooterFacts {
  readonly model: string;
  readonly mode: string;
  /** With `~` for the home directory. */
  readonly directory: string;
  readonly usedPercent: number;
  /** Shown instead, for a moment. */
  readonly hint: string | undefined;
}

/** One line; what matters least goes first when there is no room. */
export function renderFooter(
  facts: FooterFacts,
  { theme, width }: { readonly theme: Theme; readonly width: number },
): string {
  const { hint, usedPercent } = facts;
  if (hint !== undefined) return theme.accent(truncateToWidth(terminalSafeLine(hint), width, "…"));
  const [model, mode, directory] = [facts.model, facts.mode, facts.directory].map(terminalSafeLine);
  const context = `context ${usedPercent}%`;
  const choices = [
    [model, mode, directory, context, "/help"],
    [model, mode, directory, context],
    [model, mode, context],
    [mode, context],
  ].map((parts) => parts.join(" · "));
  const line = choices.find((choice) => visibleWidth(choice) <= width) ?? choices.at(-1) ?? "";
  // Where nothing is asked about, that is to be seen.
  const style = mode === "yolo" ? theme.bad : theme.dim;
  return style(truncateToWidth(line, width, "…"));
}
