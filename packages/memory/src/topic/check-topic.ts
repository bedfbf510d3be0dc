import { utf8Bytes } from "@caliban/common";
import { MemoryError } from "../errors.ts";
import { normalizeText } from "../markdown/normalize.ts";
import { MAX_BODY_BYTES, MAX_DESCRIPTION_CHARACTERS } from "./limits.ts";
import { oneLine } from "./one-line.ts";

/**
 * Proves that a description can stand in an index line. It is given back as it will be read, with single spaces.
 * @throws MemoryError `INVALID_TOPIC`
 */
export function parseDescription(text: string): string {
  const description = oneLine(text);
  if (description === "")
    throw invalid("the description is empty; say in one line what the topic holds");
  if (/[\p{Cc}\u2028\u2029]/u.test(text.trim())) {
    throw invalid(
      "the description must be one line without control characters; put the rest into the body",
    );
  }
  const { length } = Array.from(description);
  if (length > MAX_DESCRIPTION_CHARACTERS) {
    const sentence = `the description has ${length} characters, and at most ${MAX_DESCRIPTION_CHARACTERS} fit; shorten it, and put the rest into the body`;
    throw invalid(sentence);
  }
  return description;
}

/**
 * The body as it will be read back: LF line ends, no empty lines around it.
 * @throws MemoryError `INVALID_TOPIC`
 */
export function parseBody(text: string): string {
  const body = normalizeText(text.toWellFormed()).replace(/^\n+/, "").trimEnd();
  if (body.trim() === "") throw invalid("the body is empty; write down what is worth remembering");
  assertBodyFits(body);
  return body;
}

/** @throws MemoryError `INVALID_TOPIC` */
export function assertBodyFits(body: string): void {
  const bytes = utf8Bytes(body);
  if (bytes <= MAX_BODY_BYTES) return;
  const sentence = `the body has ${bytes} bytes, and at most ${MAX_BODY_BYTES} are kept; split it into topics of their own`;
  throw invalid(sentence);
}

function invalid(problem: string): MemoryError {
  return new MemoryError("INVALID_TOPIC", problem);
}
