import { redactPieces } from "../../transcript/redact-pieces.ts";

/** A text without secrets, and how many were in it. */
export interface RedactedText {
  readonly text: string;
  readonly redactedSecrets: number;
}

/** The same for several texts in one look, which costs less than one each; in their order. */
export async function redactTexts(texts: readonly string[]): Promise<readonly string[]> {
  const { findSecrets } = await import("@caliban/common/secrets");
  const whole = texts.map((text) => ({ text, headEnd: text.length, tailStart: text.length }));
  const { pieces } = await redactPieces(whole, findSecrets);
  return pieces.map(({ text }) => text);
}

/** Takes secrets out of a whole text: the last look before it leaves the machine or is written. */
export async function redactText(text: string): Promise<RedactedText> {
  const { redactSecrets } = await import("@caliban/common/secrets");
  const redacted = await redactSecrets(text);
  return { text: redacted.text, redactedSecrets: redacted.findings.length };
}
