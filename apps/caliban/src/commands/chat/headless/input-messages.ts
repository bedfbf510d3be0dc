import { parseJson } from "@caliban/common";
import type { InputErrorLine } from "./output/answer-output.ts";

/** One message of the person's, or a line that is none. */
export type InputMessage = { readonly type: "user"; readonly text: string } | InputErrorLine;

/**
 * Reads `--input-format stream-json`; empty lines are passed over.
 * @yields a message, or what is wrong with a line
 */
export async function* readMessages(lines: AsyncIterable<string>): AsyncGenerator<InputMessage> {
  let line = 0;
  for await (const content of lines) {
    line += 1;
    if (content.trim() !== "") yield parseMessage(content, line);
  }
}

/** Reads `{"type":"user","text":"…"}`. */
export function parseMessage(content: string, line: number): InputMessage {
  const value = parseJson(content);
  if (value === undefined) return inputError(line, "it is no JSON");
  if (!isObject(value)) return inputError(line, "it is no object");
  const { type, text } = value;
  if (type !== "user") return inputError(line, 'its "type" is not "user"');
  if (typeof text !== "string" || text.trim() === "")
    return inputError(line, 'it has no "text" in it');
  return { type: "user", text };
}

function inputError(line: number, reason: string): InputErrorLine {
  const sentence = `line ${line} of stdin is no message: ${reason}; a message is {"type":"user","text":"…"}`;
  return { type: "input-error", line, sentence };
}

function isObject(value: unknown): value is Readonly<Record<"type" | "text", unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
