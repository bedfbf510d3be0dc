import { terminalSafeLine } from "@caliban/common";
import { type Component, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { fitLines } from "../fit-lines.ts";
import type { Theme } from "../theme.ts";
import type { ScreenState } from "./screen-state.ts";

/** Model, permission mode, directory and branch, how full the context window is, the cost, and the notes from memory. */
export function createFooterView({
  theme,
  state,
}: {
  readonly theme: Theme;
  readonly state: () => ScreenState;
}): Component {
  const lines = (width: number): readonly string[] => {
    const facts = state();
    return facts.isEnded || facts.model === "" ? [] : [renderFooter(facts, { theme, width })];
  };
  return { render: (width) => fitLines(lines(width), width), invalidate: () => undefined };
}

/** What the line under the prompt shows. */
export interface FooterFacts {
  readonly model: string;
  readonly mode: string;
  /** With `~` for the home directory. */
  readonly directory: string;
  /** The branch of Git, or the beginning of a commit. */
  readonly branch?: string | undefined;
  readonly usedPercent: number;
  /** Where the prices of the model are known. */
  readonly cost?: string | undefined;
  /** How many notes from memory the conversation got. */
  readonly noteCount?: number | undefined;
  /** Shown instead, for a moment. */
  readonly hint: string | undefined;
}

/** One line; the least important parts are dropped first where there is no room. */
export function renderFooter(
  facts: FooterFacts,
  { theme, width }: { readonly theme: Theme; readonly width: number },
): string {
  const { hint, usedPercent } = facts;
  if (hint !== undefined) return theme.accent(truncateToWidth(terminalSafeLine(hint), width, "…"));
  const [model, mode, directory] = [facts.model, facts.mode, facts.directory].map(terminalSafeLine);
  const branch = facts.branch === undefined ? "" : ` (${terminalSafeLine(facts.branch)})`;
  const place = `${directory}${branch}`;
  const context = `context ${usedPercent}%`;
  const cost = facts.cost === undefined ? [] : [terminalSafeLine(facts.cost)];
  const { noteCount = 0 } = facts;
  const notes =
    noteCount === 0 ? [] : [`${noteCount} memory ${noteCount === 1 ? "note" : "notes"}`];
  const candidates = [
    [model, mode, place, context, ...cost, ...notes, "/help"],
    [model, mode, place, context, ...cost, ...notes],
    [model, mode, place, context, ...cost],
    [model, mode, directory, context, ...cost],
    [model, mode, directory, context],
    [model, mode, context, ...cost],
    [model, mode, context],
    [mode, context],
  ].map((parts) => parts.join(" · "));
  const line = candidates.find((each) => visibleWidth(each) <= width) ?? candidates.at(-1) ?? "";
  // The mode that asks about nothing must be noticed.
  const style = mode === "yolo" ? theme.bad : theme.dim;
  return style(truncateToWidth(line, width, "…"));
}
