import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { isRecord, terminalSafe } from "@caliban/common";
import type { NoticeItem, ScreenItem, ThoughtItem, ToolItem } from "./items.ts";
import type { Style, Theme } from "../theme.ts";
import { createAnswerRenderer } from "./answer-renderer.ts";
import { type CommandOutput, commandOutput } from "./command-output.ts";
import { longMessageRows } from "./long-message.ts";
import { renderChange } from "./render-change.ts";
import { renderTodos, todosOf } from "./todo-list.ts";
import { completedChange } from "./tool-change.ts";
import { toolOutcome, toolSubject } from "./tool-summary.ts";

/** How an item is to be rendered. */
export interface ItemLook {
  readonly theme: Theme;
  readonly width: number;
  /** Whether tool outputs and thoughts are shown in full. */
  readonly isExpanded: boolean;
  readonly workspaceRoot: string;
}

const MAX_CHANGED_LINES = 16;
const MAX_TAIL_LINES = 5;
const MAX_FAILED_LINES = 12;
/** The limit for an expanded output; the table of keys names it, too. */
const MAX_OUTPUT_LINES = 200;
const DOT = " · ";

/** The lines of one item. */
export function renderItem(item: ScreenItem, look: ItemLook): readonly string[] {
  switch (item.kind) {
    case "user":
      return renderMessage(item.text, look);
    case "answer":
      return createAnswerRenderer(look.theme).render(item.text, look.width).flat();
    case "thought":
      return renderThought(item, look);
    case "tool":
      return renderTool(item, look);
    case "notice":
      return renderNotice(item, look);
    case "output":
      return firstLines(item.text, look, (line) => wrappedRow(line, look.width));
  }
}

/** A message of the user. */
function renderMessage(text: string, { theme, width, isExpanded }: ItemLook): readonly string[] {
  const room = Math.max(1, width - 2);
  const rows = longMessageRows(text, {
    width: room,
    isExpanded,
    wrap: (part) => linesOf(part).flatMap((line) => wrapped(line, room).map(theme.bold)),
    note: (line) => theme.dim(truncateToWidth(line, room, "…")),
  });
  return rows.map((row, index) => `${index === 0 ? theme.accent("> ") : "  "}${row}`);
}

function renderThought({ text }: ThoughtItem, look: ItemLook): readonly string[] {
  const { theme, width, isExpanded } = look;
  if (isExpanded) return marked(text.trim(), { ...look, mark: theme.dim("∙ "), style: theme.dim });
  const line = text.trim().replaceAll(/\s+/g, " ");
  return [theme.dim(truncateToWidth(`∙ ${line}`, width, "…"))];
}

function renderTool(item: ToolItem, look: ItemLook): readonly string[] {
  const { theme, width, workspaceRoot } = look;
  const { result } = item;
  const mark = toolMark(item, theme);
  const isShownBelow = todosOf(item) !== undefined || planOf(item) !== undefined;
  const subject = isShownBelow ? "" : toolSubject(item.input, workspaceRoot);
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
  const memory = (result?.memory ?? []).map((source) =>
    theme.dim(truncateToWidth(`  memory: ${source}`, width, "…")),
  );
  return [truncateToWidth(head, width, "…"), ...renderBelow(item, look), ...memory];
}

/** What a call shows of its work: a to-do list, a change, or what it printed. */
function renderBelow(item: ToolItem, look: ItemLook): readonly string[] {
  const { isExpanded } = look;
  const todos = todosOf(item);
  if (todos !== undefined) return renderTodos(todos, look);
  const plan = planOf(item);
  if (plan !== undefined) return renderPlan(plan, look);
  const change = completedChange(item);
  if (change !== undefined) {
    const maxLines = isExpanded ? MAX_OUTPUT_LINES : MAX_CHANGED_LINES;
    return renderChange(change, { ...look, maxLines, wraps: isExpanded });
  }
  const { progress, result } = item;
  if (item.name === "Task" && result === undefined && progress !== undefined) {
    return [look.theme.dim(truncateToWidth(`  ${progress.text}`, look.width, "…"))];
  }
  const output = commandOutput(item);
  if (output !== undefined) {
    return renderCommandOutput(output, { ...look, maxLines: shownLines(item, isExpanded) });
  }
  return isExpanded && item.result !== undefined ? renderOutput(item.result.text, look) : [];
}

/** A plan that was shown to the user; `undefined` for any other call. */
function planOf({ name, input, result }: ToolItem): string | undefined {
  if (name !== "ExitPlanMode" || !isRecord(input) || result?.isError === true) return undefined;
  const { plan } = input;
  if (typeof plan !== "string") return undefined;
  // While the user is asked, the question shows it.
  return result === undefined ? "" : terminalSafe(plan);
}

function renderPlan(plan: string, { theme, width }: ItemLook): readonly string[] {
  if (plan === "") return [];
  const lines = createAnswerRenderer(theme)
    .render(plan, Math.max(1, width - 2))
    .flat();
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

function toolMark({ result }: ToolItem, theme: Theme): string {
  if (result === undefined) return theme.dim("○");
  return result.isError ? theme.bad("✗") : theme.good("●");
}

/** A failed command shows more, because the reason may be further up. */
function shownLines({ result }: ToolItem, isExpanded: boolean): number {
  if (isExpanded) return MAX_OUTPUT_LINES;
  return result?.isError === true ? MAX_FAILED_LINES : MAX_TAIL_LINES;
}

/** The last lines: that is where a command says what went wrong. */
function renderCommandOutput(
  { lines, total }: CommandOutput,
  look: ItemLook & { readonly maxLines: number },
): readonly string[] {
  const { theme, width, maxLines, isExpanded } = look;
  const shown = lines.slice(-maxLines);
  const hiddenCount = total - shown.length;
  const room = Math.max(1, width - 4);
  const rows = shown.flatMap((line) => {
    const plain = line.replaceAll("\t", "    ");
    return isExpanded ? wrapped(plain, room) : [truncateToWidth(plain, room, "…")];
  });
  const earlier = `… ${hiddenCount.toLocaleString("en-US")} earlier ${hiddenCount === 1 ? "line" : "lines"}`;
  return [
    ...(hiddenCount > 0 ? [theme.dim(truncateToWidth(`  ${earlier}`, width, "…"))] : []),
    ...rows.map((line) => `  ${theme.dim(`│ ${line}`)}`),
  ];
}

function renderOutput(text: string, look: ItemLook): readonly string[] {
  const { theme, width } = look;
  const room = Math.max(1, width - 4);
  const rows = firstLines(text.trimEnd(), look, (line) => wrapped(line, room));
  return rows.map((line) => `  ${theme.dim(`│ ${line}`)}`);
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

/** The first lines of a text, wrapped, and a line that counts the others. */
function firstLines(
  text: string,
  { theme, width }: ItemLook,
  wrap: (line: string) => readonly string[],
): readonly string[] {
  const lines = linesOf(text);
  const rows = lines.slice(0, MAX_OUTPUT_LINES).flatMap(wrap);
  const hiddenCount = lines.length - MAX_OUTPUT_LINES;
  if (hiddenCount <= 0) return rows;
  const rest = `… ${hiddenCount.toLocaleString("en-US")} more ${hiddenCount === 1 ? "line" : "lines"}`;
  return [...rows, theme.dim(truncateToWidth(rest, width, "…"))];
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
