import { Markdown, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { NoticeItem, ScreenItem, ThoughtItem, ToolItem } from "./items.ts";
import type { Style, Theme } from "../theme.ts";
import { type ChangeLine, madeChange } from "./tool-change.ts";
import { toolOutcome } from "./tool-summary.ts";
import { toolSubject } from "./tool-subject.ts";

/** How an item is looked at. */
export interface ItemLook {
  readonly theme: Theme;
  readonly width: number;
  /** Whether the whole output of a tool, and the thoughts, are shown. */
  readonly isExpanded: boolean;
  readonly workspaceRoot: string;
}

const MOST_CHANGED_LINES = 10;
const MOST_OUTPUT_LINES = 200;
const DOT = " · ";

/** The lines of one item. */
export function renderItem(item: ScreenItem, look: ItemLook): readonly string[] {
  switch (item.kind) {
    case "person":
      return marked(item.text, { ...look, mark: look.theme.accent("> "), style: look.theme.bold });
    case "answer":
      return renderAnswer(item.text, look);
    case "thought":
      return renderThought(item, look);
    case "tool":
      return renderTool(item, look);
    case "notice":
      return renderNotice(item, look);
    case "output":
      return cut(
        plainLines(item.text).flatMap((line) => wrappedRow(line, look.width)),
        look,
      );
  }
}

/** Links are never made clickable, and formulas stay as they are: what the model wrote is what is shown. */
function renderAnswer(text: string, { theme, width }: ItemLook): readonly string[] {
  return new Markdown(text.trimEnd(), 0, 0, theme.markdown, undefined, {
    renderLatex: false,
  }).render(width);
}

function renderThought({ text }: ThoughtItem, look: ItemLook): readonly string[] {
  const { theme, width, isExpanded } = look;
  if (isExpanded) return marked(text.trim(), { ...look, mark: theme.dim("∙ "), style: theme.dim });
  const line = text.trim().replaceAll(/\s+/g, " ");
  return [theme.dim(truncateToWidth(`∙ ${line}`, width, "…"))];
}

function renderTool(item: ToolItem, look: ItemLook): readonly string[] {
  const { theme, width, isExpanded, workspaceRoot } = look;
  const { result } = item;
  const mark = toolMark(item, theme);
  const subject = toolSubject(item.input, workspaceRoot);
  const outcome = result === undefined ? "" : toolOutcome(item).replaceAll("\t", " ");
  const about = subject === "" ? "" : ` ${subject}`;
  const room = width - 2 - visibleWidth(item.name);
  // What came of it has half of the line, and what the subject leaves.
  const most = Math.max(Math.floor(width / 2), room - visibleWidth(about) - visibleWidth(DOT));
  const tail = outcome === "" ? "" : `${DOT}${truncateToWidth(outcome, most, "…")}`;
  const shortAbout = truncateToWidth(about, Math.max(5, room - visibleWidth(tail)), "…");
  const head = `${mark} ${theme.bold(item.name)}${shortAbout}${theme.dim(tail)}`;
  // Before it is made, a change is shown where it is asked about; one that was refused was not made.
  const change = result?.isError === false ? madeChange(item) : undefined;
  const below =
    change === undefined
      ? []
      : renderChange(change, {
          ...look,
          most: isExpanded ? MOST_OUTPUT_LINES : MOST_CHANGED_LINES,
          isWhole: isExpanded,
        });
  const output = isExpanded && result !== undefined ? renderOutput(result.text, look) : [];
  return [truncateToWidth(head, width, "…"), ...below, ...output];
}

function toolMark({ result }: ToolItem, theme: Theme): string {
  if (result === undefined) return theme.dim("○");
  return result.isError ? theme.bad("✗") : theme.good("●");
}

interface ChangeLook extends Pick<ItemLook, "theme" | "width"> {
  /** Most lines that are shown; all when left out. */
  readonly most?: number;
  /** Whether long lines are wrapped, and not cut. */
  readonly isWhole: boolean;
}

/** What a change takes away and puts there, the first lines of it. */
export function renderChange(
  change: readonly ChangeLine[],
  { theme, width, most = Infinity, isWhole }: ChangeLook,
): readonly string[] {
  const styles = { "+": theme.good, "-": theme.bad, " ": theme.dim } as const;
  const lines = change.slice(0, most).flatMap(({ sign, text }) => {
    if (!isWhole) return [styles[sign](truncateToWidth(`  ${sign} ${text}`, width, "…"))];
    const parts = wrapped(text, Math.max(1, width - 4));
    return parts.map((part, index) => styles[sign](`  ${index === 0 ? sign : " "} ${part}`));
  });
  const left = change.length - Math.min(most, change.length);
  return left === 0
    ? lines
    : [...lines, theme.dim(truncateToWidth(`  … ${left} more lines`, width, "…"))];
}

function renderOutput(text: string, look: ItemLook): readonly string[] {
  const { theme, width } = look;
  const lines = plainLines(text.trimEnd()).flatMap((line) => wrapped(line, Math.max(1, width - 4)));
  return cut(lines, look).map((line) => `  ${theme.dim(`│ ${line}`)}`);
}

function renderNotice({ tone, text }: NoticeItem, look: ItemLook): readonly string[] {
  const { theme } = look;
  const marks = { plain: theme.dim("· "), good: theme.good("✓ "), bad: theme.bad("! ") };
  const style: Style = tone === "plain" ? theme.dim : (line) => line;
  return marked(text, { ...look, mark: marks[tone], style });
}

interface Marked extends ItemLook {
  /** Two columns wide, before the first line. */
  readonly mark: string;
  readonly style: Style;
}

function marked(text: string, { width, mark, style }: Marked): readonly string[] {
  const lines = plainLines(text).flatMap((line) => wrapped(line, Math.max(1, width - 2)));
  return lines.map((line, index) => `${index === 0 ? mark : "  "}${style(line)}`);
}

function cut(lines: readonly string[], { theme, width }: ItemLook): readonly string[] {
  if (lines.length <= MOST_OUTPUT_LINES) return lines;
  const left = lines.length - MOST_OUTPUT_LINES;
  const rest = truncateToWidth(`… ${left.toLocaleString("en-US")} more lines`, width, "…");
  return [...lines.slice(0, MOST_OUTPUT_LINES), theme.dim(rest)];
}

function plainLines(text: string): readonly string[] {
  return text.replaceAll("\t", "    ").split("\n");
}

function wrapped(line: string, width: number): readonly string[] {
  return line === "" ? [""] : wrapTextWithAnsi(line, width);
}

/** What does not fit goes under its own column, so that a table stays one; where that leaves no room, below it. */
export function wrappedRow(line: string, width: number): readonly string[] {
  if (visibleWidth(line) <= width) return [line];
  const lead = /^\s*\S.*?\s{2,}(?=\S)|^\s*/.exec(line)?.[0] ?? "";
  const columns = visibleWidth(lead);
  const isCrowded = columns > width / 2;
  const indent = " ".repeat(isCrowded ? BELOW_COLUMNS : columns);
  if (columns === 0 || width <= indent.length || (isCrowded && lead.trim() === "")) {
    return wrapped(line, width);
  }
  const parts = wrapped(line.slice(lead.length), width - indent.length);
  if (isCrowded) return [...wrapped(lead.trimEnd(), width), ...parts.map((part) => indent + part)];
  return parts.map((part, index) => (index === 0 ? lead : indent) + part);
}

const BELOW_COLUMNS = 4;
