import { redactPieces } from "../../transcript/redact-pieces.ts";

/** A text without secrets, and how many were removed. */
export interface RedactedText {
  readonly text: string;
  readonly redactedSecrets: number;
}

/** Redacts several texts in one scan, which costs less than one scan each. */
export async function redactTexts(texts: readonly string[]): Promise<readonly string[]> {
  const { findSecrets } = await import("@caliban/common/secrets");
  const whole = texts.map((text) => ({ text, headEnd: text.length, tailStart: text.length }));
  const { pieces } = await redactPieces(whole, findSecrets);
  return pieces.map(({ text }) => text);
}

/** Redacts a whole text: the last check before it leaves the machine or is written. */
export async function redactText(text: string): Promise<RedactedText> {
  const { redactSecrets } = await import("@caliban/common/secrets");
  const redacted = await redactSecrets(text);
  return { text: redacted.text, redactedSecrets: redacted.findings.length };
}
