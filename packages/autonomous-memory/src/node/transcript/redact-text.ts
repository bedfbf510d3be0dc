/** A text without secrets, and how many were in it. */
export interface RedactedText {
  readonly text: string;
  readonly redactedSecrets: number;
}

/** Takes secrets out of a whole text: the last look before it leaves the machine or is written. */
export async function redactText(text: string): Promise<RedactedText> {
  const { redactSecrets } = await import("@caliban/common/secrets");
  const redacted = await redactSecrets(text);
  return { text: redacted.text, redactedSecrets: redacted.findings.length };
}
