import { isRecord, parseJson } from "@caliban/common";
import type { InputError } from "./output/answer-output.ts";

/** One message of the user, or what is wrong with a line. */
export type InputMessage = { readonly type: "user"; readonly text: string } | InputError;

/**
 * Parses `--input-format stream-json`. Empty lines are ignored.
 * @yields a message or an error for each line
 */
export async function* parseMessages(lines: AsyncIterable<string>): AsyncGenerator<InputMessage> {
  let line = 0;
  for await (const content of lines) {
    line += 1;
    if (content.trim() !== "") yield parseMessage(content, line);
  }
}

/** Parses `{"type":"user","text":"…"}`. */
export function parseMessage(content: string, line: number): InputMessage {
  const value = parseJson(content);
  if (value === undefined) return inputError(line, "invalid JSON");
  if (!isRecord(value)) return inputError(line, "not an object");
  const { type, text } = value;
  if (type !== "user") return inputError(line, '"type" must be "user"');
  if (typeof text !== "string" || text.trim() === "")
    return inputError(line, '"text" is missing or empty');
  return { type: "user", text };
}

function inputError(line: number, reason: string): InputError {
  const message = `stdin line ${line}: ${reason}. Expected: {"type":"user","text":"…"}`;
  return { type: "input-error", line, message };
}
