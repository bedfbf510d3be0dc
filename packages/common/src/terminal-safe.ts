// C0 except tab and newline, DEL, C1, line and paragraph separators, and every bidirectional control.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

const LINE_BREAK_OR_TAB = /[\n\t]/g;

/** Escapes untrusted text for a terminal: control characters become visible; line breaks and tabs stay. */
export function terminalSafe(text: string): string {
  return text.replace(CONTROL, visible);
}

/** The same for text that must stay on one line, such as a path in a message. */
export function terminalSafeLine(text: string): string {
  return terminalSafe(text).replace(LINE_BREAK_OR_TAB, visible);
}

/** Indented JSON that is safe on a terminal and has the same value for a program. */
export function terminalSafeJson(value: unknown): string {
  return escapeControls(JSON.stringify(value, undefined, 2));
}

/** The same on one line, for readers of JSON lines. */
export function terminalSafeJsonLine(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

function escapeControls(json: string): string {
  return json.replace(CONTROL, (character) => `\\u${codeOf(character).padStart(4, "0")}`);
}

function visible(character: string): string {
  return `\\u{${codeOf(character)}}`;
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
