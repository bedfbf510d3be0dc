// C0 without tab and newline, DEL, C1, line and paragraph separators, and every bidirectional control.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

// What an attribute, a one-line message or a file name may not hold either.
const CONTROL_AND_BREAKS =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

/** Makes untrusted text harmless on a terminal: control characters become visible, lines and tabs stay. */
export function terminalSafe(text: string): string {
  return text.replace(CONTROL, visible);
}

/** The same for text that must stay on one line, such as a path in a message. */
export function terminalSafeLine(text: string): string {
  return text.replace(CONTROL_AND_BREAKS, visible);
}

function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
