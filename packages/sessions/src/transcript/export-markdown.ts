import { isJsonObject } from "../record/json-value.ts";
import type { SessionRecord, SessionStart } from "../record/record.ts";
import type {
  SessionAttachment,
  SessionMessage,
  SessionPart,
  SessionToolResult,
} from "../record/session-message.ts";
import { titleOf } from "../identity/title.ts";

const MAX_RESULT_CHARACTERS = 4_000;
const LINE_END = /\r\n|\r|\n/;
const MARKUP = /[\\`*_{}[\]<>#|&~!]/g;

/**
 * Renders a whole session as a Markdown document. No message can break out of its own block.
 *
 * @example
 * import { exportMarkdown, parseTranscript } from "@caliban/sessions";
 *
 * const line = '{"type":"message","id":"m1","at":"","message":{"role":"user","text":"Hello"}}\n';
 * console.log(exportMarkdown(parseTranscript(line).records));
 */
export function exportMarkdown(records: readonly SessionRecord[]): string {
  const blocks = [...heading(records), ...records.flatMap(blocksOf)];
  return `${blocks.join("\n\n")}\n`;
}

function heading(records: readonly SessionRecord[]): readonly string[] {
  const start = records.find((record) => record.type === "session-start");
  const firstMessage = records.find(
    (record) => record.type === "message" && record.message.role === "user",
  );
  const title =
    records.findLast((record) => record.type === "name")?.name ??
    start?.name ??
    start?.title ??
    (firstMessage?.type === "message" && firstMessage.message.role === "user"
      ? titleOf(firstMessage.message.text)
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
        "## Summary of the conversation so far",
        ...record.messages.flatMap((message) => messageBlocks(message)),
        "---",
      ];
    case "model":
      return [`*Model changed to ${plain(record.model)}.*`];
    case "resumed":
      return [`*Resumed ${plain(record.at)}.*`];
    case "rewound":
      return [describeRewind(record)];
    case "notice":
      return [`*${plain(record.sentence)}*`];
    case "turn-end":
      return record.outcome === "done" ? [] : [`*${plain(describeEnd(record))}*`];
    case "session-start":
    case "name":
    // The call that started the subagent has its result.
    case "subagent":
      return [];
  }
}

/** The document keeps what was rewound: it is the whole session. */
function describeRewind({ to, what }: SessionRecord & { readonly type: "rewound" }): string {
  const subject =
    what === "both"
      ? "The conversation and the files were"
      : what === "files"
        ? "The files were"
        : "The conversation was";
  return `*${subject} rewound to the state before ${plain(to)}.*`;
}

function describeEnd(record: SessionRecord & { readonly type: "turn-end" }): string {
  return record.sentence ?? `The turn ended: ${record.outcome}.`;
}

function messageBlocks(message: SessionMessage): readonly string[] {
  if (message.role === "user") {
    const note = message.note === undefined ? [] : ["Added for the model:", quoted(message.note)];
    const attached = (message.attachments ?? []).flatMap(attachmentBlocks);
    return ["## You", quoted(message.text), ...attached, ...note];
  }
  if (message.role === "tool") return message.results.flatMap(resultBlocks);
  const cut = message.cut === undefined ? [] : [`*Cut short: ${message.cut}.*`];
  // Reasoning and an answer look alike when both are quoted.
  const hasReasoning = message.parts.some(({ type }) => type === "reasoning");
  const label = hasReasoning ? "Answer:" : "";
  const parts = message.parts.flatMap((part) => partBlocks(part, label));
  return [`## ${plain(message.model)}`, ...parts, ...cut];
}

function partBlocks(part: SessionPart, label: string): readonly string[] {
  if (part.type === "tool-call") {
    return [`Tool call: **${plain(part.name)}**`, fenced(renderInput(part.input), "json")];
  }
  if (part.text === "") return [];
  return part.type === "reasoning"
    ? ["Reasoning:", quoted(part.text)]
    : [...(label === "" ? [] : [label]), quoted(part.text)];
}

function renderInput(input: unknown): string {
  if (typeof input === "string") return input;
  return isJsonObject(input) ? JSON.stringify(input, undefined, 2) : JSON.stringify(input ?? null);
}

function attachmentBlocks(attachment: SessionAttachment): readonly string[] {
  if (attachment.type === "image") return [`Attached: ${plain(imageLabel(attachment.name))}`];
  const { path, size, text } = attachment;
  return [`Attached **${plain(path)}**, ${plain(size)}:`, fenced(truncated(text), "text")];
}

/** A pasted image is named by what represents it in the text. */
function imageLabel(name: string): string {
  return /^\[image \d+\]$/.test(name) ? name : `[image ${name}]`;
}

function resultBlocks({ name, text, isError }: SessionToolResult): readonly string[] {
  return [
    `${isError ? "Error from" : "Result of"} **${plain(name)}**:`,
    fenced(truncated(text), "text"),
  ];
}

function truncated(text: string): string {
  if (text.length <= MAX_RESULT_CHARACTERS) return text;
  const rest = text.length - MAX_RESULT_CHARACTERS;
  return `${text.slice(0, MAX_RESULT_CHARACTERS).toWellFormed()}\n… ${rest} more characters`;
}

/** A block quote ends everything that begins inside it: fences, comments, lists. */
function quoted(text: string): string {
  return text
    .split(LINE_END)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** Uses a fence that is longer than every run of backticks in the text. */
function fenced(text: string, language: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((max, run) => Math.max(max, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The text as one line without markup. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(MARKUP, String.raw`\$&`);
}
