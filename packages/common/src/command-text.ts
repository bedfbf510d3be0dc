/** A command or a skill that the user ran by its name, and the text of its file. */
export interface CommandText {
  /** What the user typed, such as `/review src`. */
  readonly typed: string;
  readonly kind: "command" | "skill";
  readonly name: string;
  /** The file, for people. */
  readonly source: string;
  readonly body: string;
}

/** The message that such a command sends. Nothing in the file can close its element. */
export function renderCommandText({ typed, kind, name, source, body }: CommandText): string {
  const escaped = body.replaceAll(/<(\\*)(\/?command-text)/gi, "<\\$1$2");
  return `${typed}\n\n<command-text kind="${kind}" name="${attribute(name)}" source="${attribute(source)}">\n${escaped}\n</command-text>`;
}

// The last element: a body contains none, but text that was pasted before it may.
const RENDERED =
  /^(\/[^]*)\n\n<command-text kind="(command|skill)" name="([^"<>\n]*)" source="([^"<>\n]*)">\n([^]*)\n<\/command-text>$/;

/** Reads such a message back; `undefined` for any other text. */
export function parseCommandText(text: string): CommandText | undefined {
  if (!text.endsWith(END)) return undefined;
  const match = RENDERED.exec(text);
  if (match === null) return undefined;
  const [, typed = "", kind, name = "", source = "", escaped = ""] = match;
  return {
    typed,
    kind: kind === "skill" ? "skill" : "command",
    name: plain(name),
    source: plain(source),
    body: escaped.replaceAll(/<\\(\\*)(\/?command-text)/gi, "<$1$2"),
  };
}

const END = "\n</command-text>";

/** What the user typed of a message: without the text of a command. */
export function typedPart(text: string): string {
  return parseCommandText(text)?.typed ?? text;
}

/**
 * What the user wrote of a message: without the text of a command, and without input that `-p` put after the prompt. That
 * is the output of a program, which must not name files to read, nor say anything for the user.
 */
export function writtenPart(text: string): string {
  return typedPart(text).replace(/(?<=^|\n)<stdin>\n[^]*<\/stdin>\s*$/, "");
}

function attribute(text: string): string {
  return text.replaceAll(/[&"<>\n\r]/g, (character) => `&#${character.codePointAt(0)};`);
}

function plain(text: string): string {
  return text.replaceAll(/&#(\d{2});/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
