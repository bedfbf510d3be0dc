import { hookTextsIn, parseCommandText, parseUserCommand, renderHookText } from "@caliban/common";
import { parseLine } from "../record/parse-record.ts";
import type { SessionRecord } from "../record/record.ts";
import { messageNumber } from "../identity/message-number.ts";
import { isOptOut } from "../transcript/replay.ts";
import type {
  SessionAttachment,
  SessionMessage,
  SessionPart,
  SessionUserMessage,
} from "../record/session-message.ts";
import { createReadingState, commonMethods, type ReadingState } from "./record-reader.ts";
import type { ReaderContext, TranscriptReader } from "./transcript-reader.ts";

/** Reads our own sessions. Summaries and messages copied from another session are skipped: they were read before. */
export function createCalibanReader(known?: ReaderContext): TranscriptReader {
  const state = createReadingState(known);
  return {
    readLine: (line) => {
      const parsed = parseLine(line);
      if (parsed.kind === "damaged") state.skipped.damagedLines++;
      if (parsed.kind === "unknown") state.skipped.unknownRecords++;
      if (parsed.kind !== "record") return [];
      const { record, unknownParts } = parsed;
      state.skipped.unknownParts += unknownParts;
      noteFacts(record, state);
      if (record.type !== "message") return [];
      const number = messageNumber(record.id);
      const isCopy = number > 0 && number <= state.carried;
      return isCopy ? [] : withoutInternals(record.message);
    },
    ...commonMethods(state),
  };
}

function noteFacts(record: SessionRecord, state: ReadingState): void {
  state.writtenAt = record.at;
  if (isOptOut(record)) state.optedOut = true;
  if (record.type !== "session-start") return;
  state.carried = record.carried ?? 0;
  state.sessionId ??= record.id;
  state.cwd ??= record.cwd === "" ? record.workspace : record.cwd;
  state.startedAt ??= record.at;
}

/** Without reasoning, usage, notes of the program and provider metadata. */
function withoutInternals(message: SessionMessage): readonly SessionMessage[] {
  if (message.role === "tool") return [message];
  if (message.role === "user") return [...ofUser(message.text), ...ofOthers(message)];
  const parts = message.parts.flatMap((part): readonly SessionPart[] => {
    if (part.type === "text") return [{ type: part.type, text: part.text }];
    if (part.type === "reasoning") return [];
    return [{ type: part.type, id: part.id, name: part.name, input: part.input }];
  });
  const cut = message.cut === undefined ? {} : { cut: message.cut };
  return parts.length === 0 ? [] : [{ role: "assistant", model: message.model, parts, ...cut }];
}

/** A command of the user is a call, and what it printed is not the user's text. */
function ofUser(text: string): readonly SessionMessage[] {
  const ran = parseUserCommand(text);
  if (ran === undefined) return ofCommandText(text);
  const { command, output, isError } = ran;
  const call = { id: "user-command", name: "Bash" };
  return [
    { role: "assistant", model: "", parts: [{ type: "tool-call", ...call, input: { command } }] },
    { role: "tool", results: [{ ...call, text: output, isError }] },
  ];
}

/** The text of a command's file is not the user's either: a call that loads it has it as its result. */
function ofCommandText(text: string): readonly SessionMessage[] {
  const command = parseCommandText(text);
  if (command === undefined) return [{ role: "user", text }];
  const { typed, kind, name, body } = command;
  const call = { id: "command-text", name: kind === "skill" ? "Skill" : "Command" };
  return [
    { role: "user", text: typed },
    { role: "assistant", model: "", parts: [{ type: "tool-call", ...call, input: { name } }] },
    { role: "tool", results: [{ ...call, text: body, isError: false }] },
  ];
}

/**
 * What came with a message and others wrote: files, images, and texts of hooks. The model has read it, so the pipeline
 * that learns from the session must know: each is the result of a call.
 */
function ofOthers({ attachments = [], note = "" }: SessionUserMessage): readonly SessionMessage[] {
  const hooks = hookTextsIn(note).map((text) =>
    asResult("hook", {}, renderHookText({ ...HOOK, text })),
  );
  return [...attachments.map(ofAttachment), ...hooks].flat();
}

/** In a frame, so that nothing is learned from it: which hook it was does not matter. */
const HOOK = { hook: "hook", event: "any" } as const;

/** Of an image, no more than its name is known as text. */
function ofAttachment(attachment: SessionAttachment): readonly SessionMessage[] {
  if (attachment.type === "image") return asResult("image", {}, attachment.name);
  const { tool, path, text } = attachment;
  return asResult(tool, { file_path: path }, text);
}

function asResult(name: string, input: object, text: string): readonly SessionMessage[] {
  const call = { id: "attached", name };
  return [
    { role: "assistant", model: "", parts: [{ type: "tool-call", ...call, input }] },
    { role: "tool", results: [{ ...call, text, isError: false }] },
  ];
}
