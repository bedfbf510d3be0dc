import type { PermissionQuestion } from "@caliban/agent-core";
import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { isRecord } from "../is-record.ts";
import { renderChange } from "./render-item.ts";
import type { Theme } from "./theme.ts";
import { changeCounts, toolChange } from "./tool-change.ts";
import { toolSubject } from "./tool-subject.ts";

interface PermissionLook {
  readonly theme: Theme;
  readonly width: number;
  /** Lines that the details of the call may take. */
  readonly most: number;
  readonly workspaceRoot: string;
  /** The text of the file that would be replaced. */
  readonly before?: string | undefined;
}

/** What the person sees before they say yes: the tool, the whole of what it would do, and why it is asked about. */
export function renderPermission(
  question: PermissionQuestion,
  look: PermissionLook,
): readonly string[] {
  const { theme, width, workspaceRoot } = look;
  const tool = terminalSafeLine(question.tool);
  const details = renderDetails(question, look);
  const subject = details.isWhole ? "" : ` ${toolSubject(question.input, workspaceRoot)}`;
  const title = `Let the agent use ${theme.bold(tool)}${subject}?`;
  const reason = wrapTextWithAnsi(terminalSafeLine(question.reason), width).map(theme.dim);
  return [...wrapTextWithAnsi(title, width), ...details.lines, ...reason];
}

interface Details {
  readonly lines: readonly string[];
  /** Whether the subject is among the lines. */
  readonly isWhole: boolean;
}

function renderDetails({ tool, input }: PermissionQuestion, look: PermissionLook): Details {
  const change = toolChange(tool, input, look.before);
  if (change !== undefined) {
    const what = tool === "Write" && look.before === undefined ? "new file, " : "";
    const counts = look.theme.dim(`  ${what}${changeCounts(change)}`);
    return { lines: [counts, ...renderChange(change, look)], isWhole: false };
  }
  const text = wholeInput(input);
  if (text === "") return { lines: [], isWhole: false };
  return { lines: boxed(text, look), isWhole: true };
}

/** A command as it would be run; anything else with all its fields, because each may matter. */
function wholeInput(input: unknown): string {
  if (!isRecord(input)) return input === undefined ? "" : JSON.stringify(input, undefined, 2);
  const { command, ...rest } = input;
  if (typeof command === "string") {
    const others = Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    return [command, ...others].join("\n");
  }
  return Object.keys(input).length === 0 ? "" : JSON.stringify(input, undefined, 2);
}

/** The end is shown as well as the beginning: what harms may stand behind a long harmless part. */
function boxed(text: string, { theme, width, most }: PermissionLook): readonly string[] {
  const lines = terminalSafe(text)
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, Math.max(1, width - 4))));
  const shown = lines.map((line) => `  ${theme.accent("│")} ${line}`);
  if (shown.length <= most) return shown;
  const head = Math.ceil((most - 1) * 0.7);
  const tail = most - 1 - head;
  const left = shown.length - head - tail;
  const gap = truncateToWidth(`  … ${left} more lines are not shown here …`, width, "…");
  return [...shown.slice(0, head), theme.bad(gap), ...shown.slice(shown.length - tail)];
}
