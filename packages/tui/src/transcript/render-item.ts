import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { NoticeItem, ScreenItem, ThoughtItem, ToolItem } from "./items.ts";
import type { Style, Theme } from "../theme.ts";
import { createAnswerRenderer } from "./answer-renderer.ts";
import { type ChangeLine, completedChange } from "./tool-change.ts";
import { toolOutcome, toolSubject } from "./tool-summary.ts";

/** How an item is to be rendered. */
export interface ItemLook {
  readonly theme: Theme;
  readonly width: number;
  /** Whether tool outputs and thoughts are shown in full. */
  readonly isExpanded: boolean;
  readonly workspaceRoot: string;
}

const MAX_CHANGED_LINES = 10;
/** The limit for an expanded output; the table of keys names it, too. */
const MAX_OUTPUT_LINES = 200;
const DOT = " · ";

/** The lines of one item. */
export function renderItem(item: ScreenItem, look: ItemLook): readonly string[] {
  switch (item.kind) {
    case "user":
      return marked(item.text, { ...look, mark: look.theme.accent("> "), style: look.theme.bold });
    case "answer":
      return createAnswerRenderer(look.theme).render(item.text, look.width).flat();
    case "thought":
      return renderThought(item, look);
    case "tool":
      return renderTool(item, look);
    case "notice":
      return renderNotice(item, look);
    case "output":
      return truncateLines(
        linesOf(item.text).flatMap((line) => wrappedRow(line, look.width)),
        look,
      );
  }
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
  // The outcome gets half of the line, plus whatever the subject leaves.
  const outcomeWidth = Math.max(
    Math.floor(width / 2),
    room - visibleWidth(about) - visibleWidth(DOT),
  );
  const tail = outcome === "" ? "" : `${DOT}${truncateToWidth(outcome, outcomeWidth, "…")}`;
  const shortAbout = truncateToWidth(about, Math.max(5, room - visibleWidth(tail)), "…");
  const head = `${mark} ${theme.bold(item.name)}${shortAbout}${theme.dim(tail)}`;
  // A pending change is shown in the permission dialog, and a refused one was never made.
  const change = result?.isError === false ? completedChange(item) : undefined;
  const below =
    change === undefined
      ? []
      : renderChange(change, {
          ...look,
          maxLines: isExpanded ? MAX_OUTPUT_LINES : MAX_CHANGED_LINES,
          wraps: isExpanded,
        });
  const output = isExpanded && result !== undefined ? renderOutput(result.text, look) : [];
  const memory = (result?.memory ?? []).map((source) =>
    theme.dim(truncateToWidth(`  memory: ${source}`, width, "…")),
  );
  return [truncateToWidth(head, width, "…"), ...below, ...output, ...memory];
}

function toolMark({ result }: ToolItem, theme: Theme): string {
  if (result === undefined) return theme.dim("○");
  return result.isError ? theme.bad("✗") : theme.good("●");
}

interface ChangeLook extends Pick<ItemLook, "theme" | "width"> {
  /** All lines when left out. */
  readonly maxLines?: number;
  /** Whether long lines are wrapped instead of truncated. */
  readonly wraps: boolean;
}

/** The removed and added lines of a change, up to a limit. */
export function renderChange(
  change: readonly ChangeLine[],
  { theme, width, maxLines = Infinity, wraps }: ChangeLook,
): readonly string[] {
  const styles = { "+": theme.good, "-": theme.bad, " ": theme.dim } as const;
  const lines = change.slice(0, maxLines).flatMap(({ sign, text }) => {
    if (!wraps) return [styles[sign](truncateToWidth(`  ${sign} ${text}`, width, "…"))];
    const parts = wrapped(text, Math.max(1, width - 4));
    return parts.map((part, index) => styles[sign](`  ${index === 0 ? sign : " "} ${part}`));
  });
  const hiddenCount = change.length - Math.min(maxLines, change.length);
  return hiddenCount === 0
    ? lines
    : [...lines, theme.dim(truncateToWidth(`  … ${hiddenCount} more lines`, width, "…"))];
}

function renderOutput(text: string, look: ItemLook): readonly string[] {
  const { theme, width } = look;
  const lines = linesOf(text.trimEnd()).flatMap((line) => wrapped(line, Math.max(1, width - 4)));
  return truncateLines(lines, look).map((line) => `  ${theme.dim(`│ ${line}`)}`);
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
  const lines = linesOf(text).flatMap((line) => wrapped(line, Math.max(1, width - 2)));
  return lines.map((line, index) => `${index === 0 ? mark : "  "}${style(line)}`);
}

function truncateLines(lines: readonly string[], { theme, width }: ItemLook): readonly string[] {
  if (lines.length <= MAX_OUTPUT_LINES) return lines;
  const hiddenCount = lines.length - MAX_OUTPUT_LINES;
  const rest = truncateToWidth(`… ${hiddenCount.toLocaleString("en-US")} more lines`, width, "…");
  return [...lines.slice(0, MAX_OUTPUT_LINES), theme.dim(rest)];
}

function linesOf(text: string): readonly string[] {
  return text.replaceAll("\t", "    ").split("\n");
}

function wrapped(line: string, width: number): readonly string[] {
  return line === "" ? [""] : wrapTextWithAnsi(line, width);
}

/** Wraps a table row inside its last column; where that column is too narrow, on indented lines below. */
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
