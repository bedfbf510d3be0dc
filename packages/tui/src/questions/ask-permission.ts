import type { PermissionAnswer, PermissionQuestion } from "@caliban/agent-core";
import { isRecord, terminalSafe, terminalSafeLine } from "@caliban/common";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Choice, DialogBody } from "../dialogs/choice-dialog.ts";
import type { Screen } from "../screen/screen.ts";
import type { Theme } from "../theme.ts";
import { askText } from "./ask-text.ts";
import { renderChange } from "../transcript/render-change.ts";
import { changeCounts, plannedChange } from "../transcript/tool-change.ts";
import { toolSubject } from "../transcript/tool-summary.ts";

/** Reads a text file by its absolute path or relative to the workspace; `undefined` when it cannot be read. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/** Asks before a call: once, always, or no, with what to do instead. */
export async function askPermission(
  screen: Screen,
  question: PermissionQuestion,
  readFile: ReadFile,
): Promise<PermissionAnswer> {
  const { theme } = screen;
  const { workspaceRoot } = screen.state();
  const previous = await previousText(question, readFile);
  const answer = await screen.ask<PermissionAnswer | "instruct">({
    cancel: "no",
    isUnexpected: true,
    body: (width) => renderPermission(question, { theme, width, workspaceRoot, previous }),
    choices: choicesFor(question),
  });
  if (answer !== "instruct") return answer;
  const instead = await askText(screen, "What should the agent do instead?");
  return instead === undefined ? "no" : { instead };
}

/** Leaves out "always" where it would not be remembered. */
function choicesFor(
  question: PermissionQuestion,
): readonly Choice<PermissionAnswer | "instruct">[] {
  const { allowsAlways = true, alwaysScope, prefixScope } = question;
  const always = `Always: ${terminalSafeLine(alwaysScope)}`;
  const prefix = `Always: ${terminalSafeLine(prefixScope ?? "")}`;
  return [
    { answer: "once", label: "Yes, once", keys: ["y"] },
    ...(prefixScope !== undefined
      ? [{ answer: "prefix", label: prefix, keys: ["p"] } as const]
      : []),
    ...(allowsAlways ? [{ answer: "always", label: always, keys: ["a"] } as const] : []),
    { answer: "no", label: "No", keys: ["n"] },
    { answer: "instruct", label: "No, and say what to do instead", keys: ["i"] },
  ];
}

/** The content of a file that is about to be changed. */
async function previousText(
  { tool, input, subject }: PermissionQuestion,
  readFile: ReadFile,
): Promise<string | undefined> {
  // The resolved path: what the model wrote may be relative to another directory, or a link.
  const path = subject ?? (isRecord(input) ? input["file_path"] : undefined);
  const isChange = tool === "Write" || tool === "Edit";
  return isChange && typeof path === "string" ? await readFile(path) : undefined;
}

interface PermissionLook {
  readonly theme: Theme;
  readonly width: number;
  readonly workspaceRoot: string;
  /** The text of the file that would be changed. */
  readonly previous?: string | undefined;
}

/** What the user sees before agreeing: the tool, everything it would do, and the reason for asking. */
export function renderPermission(question: PermissionQuestion, look: PermissionLook): DialogBody {
  const { theme, width, workspaceRoot } = look;
  const tool = terminalSafeLine(question.tool);
  const details = renderDetails(question, look);
  const subject = details.includesSubject ? "" : ` ${subjectOf(question, workspaceRoot)}`;
  const title = `Let ${agentOf(question, theme)} use ${theme.bold(tool)}${subject}?`;
  const reason = wrapTextWithAnsi(terminalSafeLine(question.reason), width).map(theme.dim);
  return { title: wrapTextWithAnsi(title, width), details: details.lines, end: reason };
}

function agentOf({ agent }: PermissionQuestion, { bold }: Theme): string {
  return agent === undefined ? "the agent" : `the subagent ${bold(terminalSafeLine(agent))}`;
}

/** The file that is really affected, and the name the model used where it differs. */
function subjectOf({ input, subject }: PermissionQuestion, workspaceRoot: string): string {
  const requested = toolSubject(input, workspaceRoot);
  const actual = subject === undefined ? requested : terminalSafeLine(subject);
  return actual === requested ? requested : `${actual} (requested as ${requested})`;
}

interface Details {
  readonly lines: readonly string[];
  readonly includesSubject: boolean;
}

function renderDetails({ tool, input }: PermissionQuestion, look: PermissionLook): Details {
  const change = plannedChange(tool, input, look.previous);
  if (change !== undefined) {
    const counts = look.theme.dim(`  ${changeKind({ tool, input }, look)}${changeCounts(change)}`);
    const lines = [counts, ...renderChange(change, { ...look, wraps: true })];
    return { lines, includesSubject: false };
  }
  const text = fullInput(input);
  if (text === "") return { lines: [], includesSubject: false };
  return { lines: boxed(text, look), includesSubject: true };
}

/** What the lines of a change do not show. */
function changeKind(
  { tool, input }: Pick<PermissionQuestion, "tool" | "input">,
  { previous }: PermissionLook,
): string {
  if (tool === "Write") return previous === undefined ? "new file, " : "";
  return isRecord(input) && input["replace_all"] === true ? "every occurrence, " : "";
}

/** A command or an address as it would be used, then every other field, because each may matter. */
function fullInput(input: unknown): string {
  if (!isRecord(input)) return input === undefined ? "" : JSON.stringify(input, undefined, 2);
  const subject = ["command", "url"].find((name) => typeof input[name] === "string");
  const others = Object.entries(input).filter(([name]) => name !== subject);
  return [
    ...(subject === undefined ? [] : [String(input[subject])]),
    ...others.map(([name, value]) => renderField(name, value)),
  ].join("\n");
}

/** The lines of a text are indented, so that none of them looks like another field. */
function renderField(name: string, value: unknown): string {
  const field = isPlainName(name) ? name : JSON.stringify(name);
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  if (!text.includes("\n")) return `${field}: ${text}`;
  return [`${field}:`, ...text.split("\n").map((line) => `    ${line}`)].join("\n");
}

function isPlainName(name: string): boolean {
  return /^[\w.-]+$/.test(name);
}

function boxed(text: string, { theme, width }: PermissionLook): readonly string[] {
  return terminalSafe(text)
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, Math.max(1, width - 4))))
    .map((line) => `  ${theme.accent("│")} ${line}`);
}
