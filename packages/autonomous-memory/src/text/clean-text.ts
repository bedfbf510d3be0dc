// A terminal escape sequence with its parameters, so that none of them remains as `[31m`.
const ESCAPE_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /(?:\u001B\[|\u009B)[0-?]{0,64}[ -/]{0,8}[@-~]|\u001B\][^\u0007\u001B\u009C\n]{0,2048}(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]{0,4}[0-~]/g;
const LINE_END = /\r\n?|[\u2028\u2029]/g;
// C0 except tab and newline, DEL, C1, and characters that change the text direction.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g;
const NEEDS_CLEANING =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/;

/** Text as plain lines: well-formed, `\n` line ends, no control characters except tabs, no escape sequences. */
export function cleanText(text: string): string {
  const wellFormed = text.toWellFormed();
  if (!NEEDS_CLEANING.test(wellFormed)) return wellFormed;
  return wellFormed.replace(ESCAPE_SEQUENCE, "").replace(LINE_END, "\n").replace(CONTROL, "");
}

/** Clean text on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, " ").trim();
}
