/** How much of a turn is searched and shown. Anything longer was pasted, or is a listing. */
export const MAX_TURN_CHARACTERS = 4_000;

/** How much is scanned beyond the kept part, so that a secret across its end is recognized and removed whole. */
const MARGIN = 1_024;
/** The margin for text that looks like part of a long key. No key is longer: 16,384 bits of RSA are 13 KB. */
const LONG_MARGIN = 16_384;
// A secret longer than the small margin is one word, or lines of Base64.
const LONG_SECRET = /[A-Za-z0-9+/=]{40}|\S{200}/;
/** Much more than is scanned, because escape sequences are removed first. */
const MAX_INPUT_CHARACTERS: number = 8 * (MAX_TURN_CHARACTERS + LONG_MARGIN);

// Sequences that move the cursor or change colors.
const ESCAPE_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /\u001B\[[0-?]{0,64}[ -/]{0,8}[@-~]/g;
const LINE_END = /\r\n?|[\u2028\u2029]/g;
// Invisible characters that change the text direction. Nothing replaces them.
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g;
// C0 without tab and newline, DEL and C1.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]+/g;

/** Turns text into plain lines without anything that a terminal would act upon. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(ESCAPE_SEQUENCE, "")
    .replaceAll(LINE_END, "\n")
    .replaceAll(DIRECTION, "")
    .replaceAll(CONTROL, " ");
}

/** Makes a turn safe to show to anyone: plain, without secrets, and no longer than the searched part. */
export async function sanitizeText(text: string): Promise<string> {
  const { redactSecrets } = await import("@caliban/common/secrets");
  const plain = plainText(text.slice(0, MAX_INPUT_CHARACTERS));
  const margin = marginFor(plain);
  const scanned = plain.slice(0, MAX_TURN_CHARACTERS + margin);
  const isComplete = text.length <= MAX_INPUT_CHARACTERS && scanned.length === plain.length;
  const redacted = (await redactSecrets(scanned)).text;
  // A mark may be shorter than its secret, so the margin is cut off the end instead of keeping a fixed beginning.
  const end = isComplete ? redacted.length : Math.max(0, redacted.length - margin);
  return redacted.slice(0, Math.min(end, MAX_TURN_CHARACTERS)).toWellFormed();
}

function marginFor(plain: string): number {
  const beyond = plain.slice(0, MAX_TURN_CHARACTERS + MARGIN).slice(-MARGIN);
  return LONG_SECRET.test(beyond) ? LONG_MARGIN : MARGIN;
}
