/** A turn is searched and shown up to here: what is longer was pasted, or is a listing. */
export const MOST_TURN_CHARACTERS = 4_000;

// A sequence that moves the cursor or colours.
const ESCAPE_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /\u001B\[[0-?]{0,64}[ -/]{0,8}[@-~]/g;
const LINE_END = /\r\n?|[\u2028\u2029]/g;
// C0 without tab and newline, DEL, C1, and what turns the direction of a line.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g;

/** Text as plain lines of whole characters, without what a terminal would act upon. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(ESCAPE_SEQUENCE, "")
    .replaceAll(LINE_END, "\n")
    .replaceAll(CONTROL, " ");
}

/** What was said as it may be shown to anybody: also without secrets, and no longer than what is searched. */
export async function harmlessText(text: string): Promise<string> {
  const { redactSecrets } = await import("@caliban/common/secrets");
  // More than is kept, because half a secret is not known for one.
  const plain = plainText(text.slice(0, 2 * MOST_TURN_CHARACTERS));
  const redacted = await redactSecrets(plain);
  return redacted.text.slice(0, MOST_TURN_CHARACTERS).toWellFormed();
}
