import { terminalSafeLine, utf8Bytes } from "@caliban/common";
import { findJsonObject, type JsonObject } from "./find-json-object.ts";

/** Why an answer cannot be used. */
export interface AnswerProblem {
  readonly kind: "problem";
  readonly message: string;
}

/** Longer answers are not parsed. */
const MAX_ANSWER_BYTES: number = 1024 * 1024;
const MAX_QUOTED_CHARS = 80;

/** The object in an answer, recognized by its keys, or what is wrong with the answer. */
export function readAnswer(
  text: string,
  keys: readonly string[],
): AnswerProblem | { readonly kind: "object"; readonly object: JsonObject } {
  const bytes = utf8Bytes(text);
  if (bytes > MAX_ANSWER_BYTES) {
    const [size, limit] = [bytes, MAX_ANSWER_BYTES].map((count) => count.toLocaleString("en-US"));
    return answerProblem(`the answer is too long: ${size} bytes, the maximum is ${limit}`);
  }
  if (text.trim() === "") return answerProblem("the answer is empty");
  const found = findJsonObject(text, keys);
  switch (found.kind) {
    case "object":
      return found;
    case "truncated":
      return answerProblem("the answer is truncated");
    case "other":
      return answerProblem("the answer is JSON, but not an object");
    case "none":
      return answerProblem(`the answer is not JSON; it starts with ${quote(text)}`);
  }
}

/** A string in an answer, or what is wrong with it. */
export function readText(object: JsonObject, key: string): string | AnswerProblem {
  if (!Object.hasOwn(object, key)) return answerProblem(`${key} is missing`);
  const value = object[key];
  return typeof value === "string" ? value.toWellFormed() : answerProblem(`${key} is not a string`);
}

export function answerProblem(message: string): AnswerProblem {
  return { kind: "problem", message };
}

/** A model may repeat a hostile transcript: the quotation stays short and on one line, without control characters. */
function quote(text: string): string {
  // A long word explains nothing, and may be the start of a secret that the scanner only recognizes as a whole.
  const words = text
    .trim()
    .slice(0, 4 * MAX_QUOTED_CHARS)
    .replaceAll(/\S{16,}/g, "…");
  const line = terminalSafeLine(words.slice(0, MAX_QUOTED_CHARS).toWellFormed());
  return `“${line.length > MAX_QUOTED_CHARS - 3 ? `${line.slice(0, MAX_QUOTED_CHARS - 3)}…` : line}”`;
}
