import { isJsonObject } from "./json-value.ts";
import type { SessionRecord, SessionStart } from "./record.ts";
import type { SessionMessage, SessionPart, SessionToolResult } from "./session-message.ts";
import { titleOf } from "./title.ts";

const MAX_RESULT_CHARACTERS = 4_000;
const LINE_END = /\r\n|\r|\n/;
const MARKUP = /[\\`*_{}[\]<>#|&~!]/g;

/** The whole session as a Markdown document. Nothing that was said in it can end its own frame. */
export function exportMarkdown(records: readonly SessionRecord[]): string {
  const blocks = [...heading(records), ...records.flatMap(blocksOf)];
  return `${blocks.join("\n\n")}\n`;
}

function heading(records: readonly SessionRecord[]): readonly string[] {
  const start = records.find((record) => record.type === "session-start");
  const firstWords = records.find(
    (record) => record.type === "message" && record.message.role === "user",
  );
  const title =
    records.findLast((record) => record.type === "name")?.name ??
    start?.name ??
    start?.title ??
    (firstWords?.type === "message" && firstWords.message.role === "user"
      ? titleOf(firstWords.message.text)
      : "A session");
  return [`# ${plain(title)}`, ...(start === undefined ? [] : [facts(start)])];
}

function facts({ id, at, workspace, model, version, continues }: SessionStart): string {
  const rows = [
    ["session", id],
    ["started", at],
    ["workspace", workspace],
    ["model", model],
    ["caliban", version],
    ["continues", continues ?? ""],
  ];
  return rows
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `- ${name}: ${plain(value ?? "")}`)
    .join("\n");
}

function blocksOf(record: SessionRecord): readonly string[] {
  switch (record.type) {
    case "message":
      return messageBlocks(record.message);
    case "compacted":
      return [
        "## Summary of what was before",
        ...record.messages.flatMap((message) => messageBlocks(message)),
        "---",
      ];
    case "model":
      return [`*The model is ${plain(record.model)} from here on.*`];
    case "resumed":
      return [`*Resumed ${plain(record.at)}.*`];
    case "notice":
      return [`*${plain(record.sentence)}*`];
    case "turn-end":
      return record.outcome === "done" ? [] : [`*${plain(endOf(record))}*`];
    case "session-start":
    case "name":
      return [];
  }
}

function endOf(record: SessionRecord & { readonly type: "turn-end" }): string {
  return record.sentence ?? `The turn ended: ${record.outcome}.`;
}

function messageBlocks(message: SessionMessage): readonly string[] {
  if (message.role === "user") {
    const note = message.note === undefined ? [] : ["Added for the model:", quoted(message.note)];
    return ["## You", quoted(message.text), ...note];
  }
  if (message.role === "tool") return message.results.flatMap(resultBlocks);
  const cut = message.cut === undefined ? [] : [`*Cut short: ${message.cut}.*`];
  // A thought and an answer look alike when both are quoted.
  const hasThoughts = message.parts.some(({ type }) => type === "reasoning");
  const label = hasThoughts ? "Answer:" : "";
  const parts = message.parts.flatMap((part) => partBlocks(part, label));
  return [`## ${plain(message.model)}`, ...parts, ...cut];
}

function partBlocks(part: SessionPart, label: string): readonly string[] {
  if (part.type === "tool-call") {
    return [`Call of **${plain(part.name)}**:`, fenced(renderInput(part.input), "json")];
  }
  if (part.text === "") return [];
  return part.type === "reasoning"
    ? ["Thought:", quoted(part.text)]
    : [...(label === "" ? [] : [label]), quoted(part.text)];
}

function renderInput(input: unknown): string {
  if (typeof input === "string") return input;
  return isJsonObject(input) ? JSON.stringify(input, undefined, 2) : JSON.stringify(input ?? null);
}

function resultBlocks({ name, text, isError }: SessionToolResult): readonly string[] {
  return [`${isError ? "Failure" : "Result"} of **${plain(name)}**:`, fenced(capped(text), "text")];
}

function capped(text: string): string {
  if (text.length <= MAX_RESULT_CHARACTERS) return text;
  const rest = text.length - MAX_RESULT_CHARACTERS;
  return `${text.slice(0, MAX_RESULT_CHARACTERS).toWellFormed()}\n… ${rest} more characters`;
}

/** A block quote ends everything that was begun in it: fences, comments, lists. */
function quoted(text: string): string {
  return text
    .split(LINE_END)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** A fence that is longer than every run of backticks in the text. */
function fenced(text: string, language: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Text as one line without markup. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(MARKUP, String.raw`\$&`);
}
