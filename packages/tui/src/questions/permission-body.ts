import type { PermissionQuestion } from "@caliban/agent-core";
import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { isRecord } from "../../../../apps/caliban/src/is-record.ts";
import type { DialogBody } from "../dialogs/choice-dialog.ts";
import { renderChange } from "../transcript/render-item.ts";
import type { Theme } from "../theme.ts";
import { changeCounts, toolChange } from "../transcript/tool-change.ts";
import { toolSubject } from "../transcript/tool-subject.ts";

interface PermissionLook {
  readonly theme: Theme;
  readonly width: number;
  readonly workspaceRoot: string;
  /** The text of the file that would be replaced. */
  readonly before?: string | undefined;
}

/** What the person sees before they say yes: the tool, the whole of what it would do, and why it is asked about. */
export function renderPermission(question: PermissionQuestion, look: PermissionLook): DialogBody {
  const { theme, width, workspaceRoot } = look;
  const tool = terminalSafeLine(question.tool);
  const details = renderDetails(question, look);
  const subject = details.isWhole ? "" : ` ${subjectOf(question, workspaceRoot)}`;
  const title = `Let the agent use ${theme.bold(tool)}${subject}?`;
  const reason = wrapTextWithAnsi(terminalSafeLine(question.reason), width).map(theme.dim);
  return { title: wrapTextWithAnsi(title, width), details: details.lines, end: reason };
}

/** The file that is really meant, and what the model called it where that is another name. */
function subjectOf({ input, subject }: PermissionQuestion, workspaceRoot: string): string {
  const asked = toolSubject(input, workspaceRoot);
  const real = subject === undefined ? asked : terminalSafeLine(subject);
  return real === asked ? asked : `${real} (asked for as ${asked})`;
}

interface Details {
  readonly lines: readonly string[];
  /** Whether the subject is among the lines. */
  readonly isWhole: boolean;
}

function renderDetails({ tool, input }: PermissionQuestion, look: PermissionLook): Details {
  const change = toolChange(tool, input, look.before);
  if (change !== undefined) {
    const counts = look.theme.dim(`  ${kindOf({ tool, input }, look)}${changeCounts(change)}`);
    return { lines: [counts, ...renderChange(change, { ...look, isWhole: true })], isWhole: false };
  }
  const text = wholeInput(input);
  if (text === "") return { lines: [], isWhole: false };
  return { lines: boxed(text, look), isWhole: true };
}

/** What the lines of a change do not tell. */
function kindOf(
  { tool, input }: Pick<PermissionQuestion, "tool" | "input">,
  { before }: PermissionLook,
): string {
  if (tool === "Write") return before === undefined ? "new file, " : "";
  return isRecord(input) && input["replace_all"] === true ? "at every place, " : "";
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

function boxed(text: string, { theme, width }: PermissionLook): readonly string[] {
  return terminalSafe(text)
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, Math.max(1, width - 4))))
    .map((line) => `  ${theme.accent("│")} ${line}`);
}
