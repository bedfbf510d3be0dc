import type {
  SessionMessage,
  SessionPart,
  SessionToolCall,
  SessionToolResult,
} from "@caliban/sessions";
import { cleanText } from "./clean-text.ts";
import { removeMemoryBlocks } from "./memory-blocks.ts";
import { isKeyFileCall, isMemoryCall, isMemoryTool, namesInMemoryCall } from "./memory-calls.ts";
import { renderInput } from "./render-input.ts";
import { headOf, planPieces, SCAN_MARGIN, type ScannedPiece, wholePiece } from "./scanned-piece.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";

/** A turn before its secrets are looked for. */
export interface TurnDraft {
  readonly turn: Omit<TranscriptTurn, "text">;
  readonly pieces: readonly ScannedPiece[];
  /** Characters of the text it is made from. */
  readonly rawChars: number;
}

/** What a draft depends on. */
export interface DraftContext {
  /** What stands in place of the results of calls that were not answered yet, by their ids. */
  readonly standIns: Map<string, string>;
  /** Directories that hold memory, whatever their names. */
  readonly memoryHomes: readonly string[];
  /** The most that is kept of what the person or the assistant said at once. */
  readonly maxTextChars: number;
  /** Takes all that a turn is made of, in order. */
  readonly onContent: (content: string) => void;
}

const MAX_RESULT_CHARS = 2_000;
/** More than a call has in the end, because line ends and indents become one space each. */
const MAX_CALL_CHARS = 600;
const KEY_LEFT_OUT = "(a file that holds a key was shown here; its text is left out)";
const MEMORY_LEFT_OUT =
  "(memory or instructions were read or written here; their text is left out)";

/** What is said and done in a message: no thinking, no notes of the program, nothing empty. */
export function draftTurns(message: SessionMessage, context: DraftContext): readonly TurnDraft[] {
  switch (message.role) {
    case "user":
      return draftText("user", message.text, context);
    case "assistant":
      return message.parts.flatMap((part) => draftPart(part, context));
    case "tool":
      return message.results.map((result) => draftResult(result, context));
  }
}

function draftPart(part: SessionPart, context: DraftContext): readonly TurnDraft[] {
  if (part.type === "reasoning") return [];
  return part.type === "text"
    ? draftText("assistant", part.text, context)
    : [draftCall(part, context)];
}

function draftText(
  kind: "user" | "assistant",
  text: string,
  { maxTextChars, onContent }: DraftContext,
): readonly TurnDraft[] {
  onContent(framed(kind, text));
  const pieces = planPieces(text, maxTextChars);
  if (pieces.every((piece) => piece.text.trim() === "")) return [];
  return [{ turn: { kind }, pieces, rawChars: text.length }];
}

function draftCall(call: SessionToolCall, context: DraftContext): TurnDraft {
  const isMemory = isMemoryCall(call, context.memoryHomes);
  const standIn = isMemory ? MEMORY_LEFT_OUT : isKeyFileCall(call) ? KEY_LEFT_OUT : undefined;
  // Some providers use an id again.
  if (standIn === undefined) context.standIns.delete(call.id);
  else context.standIns.set(call.id, standIn);
  context.onContent(framed(`call ${call.name}`, JSON.stringify(call.input) ?? ""));
  const input = isMemory ? namesInMemoryCall(call.input) : call.input;
  const raw = renderInput(input, MAX_CALL_CHARS + 2 * SCAN_MARGIN);
  const text = removeMemoryBlocks(cleanText(raw), { isCutAtEnd: true });
  const piece = text.length <= MAX_CALL_CHARS ? wholePiece(text) : headOf(text, MAX_CALL_CHARS);
  return { turn: { kind: "call", tool: call.name }, pieces: [piece], rawChars: raw.length };
}

function draftResult(
  { id, name, text, isError }: SessionToolResult,
  { standIns, onContent }: DraftContext,
): TurnDraft {
  const standIn = standIns.get(id) ?? (isMemoryTool(name) ? MEMORY_LEFT_OUT : undefined);
  standIns.delete(id);
  onContent(framed(`result ${name} ${isError} ${standIn ?? ""}`, text));
  const turn = { kind: "result", tool: name, isError } as const;
  if (standIn !== undefined) return { turn, pieces: [wholePiece(standIn)], rawChars: 0 };
  return { turn, pieces: planPieces(text, MAX_RESULT_CHARS), rawChars: text.length };
}

/** With its length, so that no text can be taken for two. */
function framed(label: string, text: string): string {
  return `${label} ${text.length}\n${text}\n`;
}
