import { abbreviateHome, pathStyleOf } from "@caliban/common";
import type { ResolvedServer } from "./server-entry.ts";
import { visibleText, visibleWord } from "./visible-text.ts";

/** A requested server as it is at this moment. Its fingerprint covers files of the workspace, too. */
export interface ExaminedRequest extends ResolvedServer {
  /** Files of the workspace, as they are named, whose change requires a new approval. */
  readonly files: readonly string[];
  /** Named directories. Only the files that programs start with are covered in them. */
  readonly directories: readonly string[];
}

/** Everything the user must see before letting a repository start a server. */
export interface ApprovalQuestion {
  readonly request: ExaminedRequest;
  /** Whether a different version was approved before. */
  readonly isChanged: boolean;
}

/** The user's answer about a server that a repository requests. */
export type ApprovalAnswer = "once" | "always" | "no";

/** Asks the user about one requested server. */
export type AskApproval = (question: ApprovalQuestion) => Promise<ApprovalAnswer>;

/** One line of the question: a label, and the complete text in visible characters. */
export interface QuestionRow {
  readonly label: string;
  readonly text: string;
}

/** How paths are shown. */
export interface PathDisplay {
  readonly platform: string;
  readonly home: string | undefined;
}

/** The question in one or two sentences. */
export function questionTitle({ request, isChanged }: ApprovalQuestion): string {
  const { name, transport } = request.server;
  const verb = transport.kind === "http" ? "use" : "start";
  const title = `This repository wants to ${verb} the MCP server ${visibleWord(name)}.`;
  return isChanged ? `${title} It has changed since you approved it.` : title;
}

/** What approval means. */
export function questionWarning({ request }: ApprovalQuestion): string {
  return request.server.transport.kind === "http"
    ? "The agent's tool input is sent there, and its answers become part of the conversation."
    : "It runs as a program, in the sandbox if there is one and with your permissions otherwise. Its answers become part of the conversation.";
}

/** Everything that decides what is started, complete and unabridged. */
export function questionRows(
  { request }: ApprovalQuestion,
  display: PathDisplay,
): readonly QuestionRow[] {
  const { transport, source, tier } = request.server;
  const path = (text: string): string =>
    visibleText(abbreviateHome(pathStyleOf(display.platform), text, display.home));
  const target =
    transport.kind === "http"
      ? [row("sends to", visibleText(transport.url))]
      : [
          row("runs", [transport.command, ...transport.args].map(visibleWord).join(" ")),
          row("in", path(transport.cwd)),
        ];
  const passes = transport.kind === "http" ? "sends your" : "gets your";
  return [
    ...target,
    ...Object.entries(request.setVariables).map(([name, text]) =>
      row("sets", `${visibleWord(name)}=${visibleWord(text)}`),
    ),
    ...request.passedVariables.map((name) => row(passes, visibleWord(name))),
    ...(tier === undefined ? [] : [row("is", "a tier of memory, consulted on demand")]),
    row("requested by", visibleText(source)),
    ...request.files.map((file) => row("covers", path(file))),
    ...request.directories.map((file) =>
      row("excludes", `other files in ${path(file)}: they may change without a question`),
    ),
    ...request.notes.map((note) => row("note", visibleText(note))),
  ];
}

function row(label: string, text: string): QuestionRow {
  return { label, text };
}

/** The whole question as plain text, for a terminal without a screen. */
export function renderQuestion(question: ApprovalQuestion, display: PathDisplay): string {
  const rows = questionRows(question, display);
  const width = Math.max(...rows.map(({ label }) => label.length));
  const lines = rows.map(({ label, text }) => `  ${label.padEnd(width)}  ${text}\n`);
  return `${questionTitle(question)}\n${lines.join("")}${questionWarning(question)}\n`;
}
