import { terminalSafeLine, utf8Bytes } from "@caliban/common";
import { findJsonObject, type JsonObject } from "./find-json-object.ts";

/** Why an answer is of no use, as the end of a sentence. */
export interface AnswerProblem {
  readonly kind: "problem";
  readonly sentence: string;
}

/** Longer answers are not looked at. */
const MAX_ANSWER_BYTES: number = 1024 * 1024;
const MOST_QUOTED = 80;

/** The object of an answer, known by its keys, or what is wrong with it. */
export function readAnswer(
  text: string,
  keys: readonly string[],
): AnswerProblem | { readonly kind: "object"; readonly object: JsonObject } {
  const bytes = utf8Bytes(text);
  if (bytes > MAX_ANSWER_BYTES) {
    const [is, most] = [bytes, MAX_ANSWER_BYTES].map((size) => size.toLocaleString("en-US"));
    return problem(`the answer has ${is} bytes; at most ${most} are read`);
  }
  if (text.trim() === "") return problem("the answer is empty");
  const found = findJsonObject(text, keys);
  switch (found.kind) {
    case "object":
      return found;
    case "cut":
      return problem("the answer was cut off");
    case "other":
      return problem("the answer is JSON, but no object");
    case "none":
      return problem(`the answer is no JSON; it begins with ${quoted(text)}`);
  }
}

/** A text of an answer, or what is wrong with it. */
export function readText(object: JsonObject, key: string): string | AnswerProblem {
  if (!Object.hasOwn(object, key)) return problem(`${key} is missing`);
  const value = object[key];
  return typeof value === "string" ? value.toWellFormed() : problem(`${key} is no text`);
}

export function problem(sentence: string): AnswerProblem {
  return { kind: "problem", sentence };
}

/** A model may repeat what a hostile transcript says: it stays on one line, harmless and short. */
function quoted(text: string): string {
  // A long word tells nothing, and may be the beginning of a secret that nobody would know by its beginning.
  const words = text
    .trim()
    .slice(0, 4 * MOST_QUOTED)
    .replaceAll(/\S{16,}/g, "…");
  const line = terminalSafeLine(words.slice(0, MOST_QUOTED).toWellFormed());
  return `“${line.length > MOST_QUOTED - 3 ? `${line.slice(0, MOST_QUOTED - 3)}…` : line}”`;
}
