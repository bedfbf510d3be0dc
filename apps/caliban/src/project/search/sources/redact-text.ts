/** A turn is searched and shown up to here: what is longer was pasted, or is a listing. */
export const MAX_TURN_CHARACTERS = 4_000;

/** How much is scanned beyond what is kept: a secret across the end is then seen whole, and goes whole. */
const PLAIN_MARGIN = 1_024;
/** The same where that looks like a part of a long key. No key is longer: 16,384 bits of RSA are 13 KB. */
const LONG_MARGIN = 16_384;
// A secret that is longer than the smaller margin is one word, or lines of the letters of Base64.
const OF_A_LONG_SECRET = /[A-Za-z0-9+/=]{40}|\S{200}/;
/** Much more than is scanned, because colours are taken out of it first. */
const LOOKED_AT: number = 8 * (MAX_TURN_CHARACTERS + LONG_MARGIN);

// A sequence that moves the cursor or colours.
const ESCAPE_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /\u001B\[[0-?]{0,64}[ -/]{0,8}[@-~]/g;
const LINE_END = /\r\n?|[\u2028\u2029]/g;
// What turns the direction of a line. It is seen by nobody, so nothing comes in its place.
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g;
// C0 without tab and newline, DEL and C1.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]+/g;

/** Text as plain lines of whole characters, without what a terminal would act upon. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(ESCAPE_SEQUENCE, "")
    .replaceAll(LINE_END, "\n")
    .replaceAll(DIRECTION, "")
    .replaceAll(CONTROL, " ");
}

/** What was said as it may be shown to anybody: also without secrets, and no longer than what is searched. */
export async function redactText(text: string): Promise<string> {
  const { redactSecrets } = await import("@caliban/common/secrets");
  const plain = plainText(text.slice(0, LOOKED_AT));
  const margin = marginOf(plain);
  const scanned = plain.slice(0, MAX_TURN_CHARACTERS + margin);
  const isWhole = text.length <= LOOKED_AT && scanned.length === plain.length;
  const redacted = (await redactSecrets(scanned)).text;
  // The marks may be shorter than the secrets were, so the end is taken off and not the beginning kept.
  const end = isWhole ? redacted.length : Math.max(0, redacted.length - margin);
  return redacted.slice(0, Math.min(end, MAX_TURN_CHARACTERS)).toWellFormed();
}

function marginOf(plain: string): number {
  const beyond = plain.slice(0, MAX_TURN_CHARACTERS + PLAIN_MARGIN).slice(-PLAIN_MARGIN);
  return OF_A_LONG_SECRET.test(beyond) ? LONG_MARGIN : PLAIN_MARGIN;
}
