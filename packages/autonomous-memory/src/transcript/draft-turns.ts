import type {
  SessionMessage,
  SessionPart,
  SessionToolCall,
  SessionToolResult,
} from "@caliban/sessions";
import { cleanText } from "../text/clean-text.ts";
import { removeMemoryBlocks } from "./memory-blocks.ts";
import { isKeyFileCall, isMemoryCall, isMemoryTool, namesInMemoryCall } from "./memory-calls.ts";
import { renderInput } from "./render-input.ts";
import { headOf, planPieces, SCAN_MARGIN, type ScannedPiece, wholePiece } from "./scanned-piece.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";

/** A turn before it is scanned for secrets. */
export interface TurnDraft {
  readonly turn: Omit<TranscriptTurn, "text">;
  readonly pieces: readonly ScannedPiece[];
  /** The length of the original text. */
  readonly rawChars: number;
}

/** Shared by all drafts of a session. */
export interface DraftContext {
  /** Texts that replace the results of pending calls, by call id. */
  readonly placeholders: Map<string, string>;
  /** Directories that contain memory, whatever their names. */
  readonly memoryDirectories: readonly string[];
  /** The maximum length of one user or assistant message. */
  readonly maxTextChars: number;
  /** Receives the whole content of every turn, in order. */
  readonly onContent: (content: string) => void;
}

const MAX_RESULT_CHARS = 2_000;
/** More than the final length of a call, because line ends and indents become single spaces. */
const MAX_CALL_CHARS = 600;
// Both texts are part of the content hash: changing one would extract finished sessions again.
const KEY_OMITTED = "(a file that holds a key was shown here; its text is left out)";
const MEMORY_OMITTED = "(memory or instructions were read or written here; their text is left out)";

/** The turns in a message: no reasoning, no internal notes, nothing empty. */
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
  const isMemory = isMemoryCall(call, context.memoryDirectories);
  const placeholder = isMemory ? MEMORY_OMITTED : isKeyFileCall(call) ? KEY_OMITTED : undefined;
  // Some providers reuse ids.
  if (placeholder === undefined) context.placeholders.delete(call.id);
  else context.placeholders.set(call.id, placeholder);
  context.onContent(framed(`call ${call.name}`, JSON.stringify(call.input) ?? ""));
  const input = isMemory ? namesInMemoryCall(call.input) : call.input;
  const raw = renderInput(input, MAX_CALL_CHARS + 2 * SCAN_MARGIN);
  const text = removeMemoryBlocks(cleanText(raw), { isCutAtEnd: true });
  const piece = text.length <= MAX_CALL_CHARS ? wholePiece(text) : headOf(text, MAX_CALL_CHARS);
  return { turn: { kind: "call", tool: call.name }, pieces: [piece], rawChars: raw.length };
}

function draftResult(
  { id, name, text, isError }: SessionToolResult,
  { placeholders, onContent }: DraftContext,
): TurnDraft {
  const placeholder = placeholders.get(id) ?? (isMemoryTool(name) ? MEMORY_OMITTED : undefined);
  placeholders.delete(id);
  onContent(framed(`result ${name} ${isError} ${placeholder ?? ""}`, text));
  const turn = { kind: "result", tool: name, isError } as const;
  if (placeholder !== undefined) return { turn, pieces: [wholePiece(placeholder)], rawChars: 0 };
  return { turn, pieces: planPieces(text, MAX_RESULT_CHARS), rawChars: text.length };
}

/** Includes the length, so that one text cannot be mistaken for two. */
function framed(label: string, text: string): string {
  return `${label} ${text.length}\n${text}\n`;
}
