import { abbreviateHome, pathStyleOf } from "@caliban/common";
import type { Host } from "../../../../apps/caliban/src/host.ts";
import type { ExaminedRequest } from "../node/trust/examine-request.ts";
import { visibleText, visibleWord } from "./visible-text.ts";

/** Everything that a person has to see before they let a repository start a server. */
export interface ApprovalQuestion {
  readonly request: ExaminedRequest;
  /** Whether it was approved once, and is another one by now. */
  readonly isChanged: boolean;
}

/** A word of what it is about, and the whole of it in harmless text. */
export interface QuestionRow {
  readonly label: string;
  readonly text: string;
}

/** What is asked, in one sentence. */
export function questionTitle({ request: wish, isChanged }: ApprovalQuestion): string {
  const { name, transport } = wish.server;
  const what = transport.kind === "http" ? "use" : "start";
  const sentence = `This repository wants to ${what} the MCP server ${visibleWord(name)}.`;
  return isChanged ? `${sentence} It is not as it was when you approved it.` : sentence;
}

/** What a yes means. */
export function questionWarning({ request: wish }: ApprovalQuestion): string {
  return wish.server.transport.kind === "http"
    ? "What the agent hands to its tools is sent there, and its answers come into the conversation."
    : "It is a program that runs as you and can do what you can, and its answers come into the conversation.";
}

/** All that decides what is started, with nothing left out or shortened. */
export function questionRows(
  { request: wish }: ApprovalQuestion,
  host: Pick<Host, "platform" | "home">,
): readonly QuestionRow[] {
  const { transport, source, tier } = wish.server;
  const path = (text: string): string =>
    visibleText(abbreviateHome(pathStyleOf(host.platform), text, host.home));
  const way =
    transport.kind === "http"
      ? [row("sends to", visibleText(transport.url))]
      : [
          row("runs", [transport.command, ...transport.args].map(visibleWord).join(" ")),
          row("in", path(transport.cwd)),
        ];
  const token = transport.kind === "http" ? "sends your" : "gets your";
  return [
    ...way,
    ...Object.entries(wish.setVariables).map(([name, text]) =>
      row("sets", `${visibleWord(name)}=${visibleWord(text)}`),
    ),
    ...wish.passedVariables.map((name) => row(token, visibleWord(name))),
    ...(tier === undefined ? [] : [row("is", "a tier of memory, looked at on demand")]),
    row("wished by", visibleText(source)),
    ...wish.files.map((file) => row("covers", path(file))),
    ...wish.directories.map((file) =>
      row("leaves out", `what else is in ${path(file)}: it may change without a question`),
    ),
    ...wish.notes.map((note) => row("note", visibleText(note))),
  ];
}

function row(label: string, text: string): QuestionRow {
  return { label, text };
}

/** The same for a terminal without a screen. */
export function renderQuestion(
  question: ApprovalQuestion,
  host: Pick<Host, "platform" | "home">,
): string {
  const rows = questionRows(question, host);
  const width = Math.max(...rows.map(({ label }) => label.length));
  const lines = rows.map(({ label, text }) => `  ${label.padEnd(width)}  ${text}\n`);
  return `${questionTitle(question)}\n${lines.join("")}${questionWarning(question)}\n`;
}
