import { terminalSafeLine, utf8Bytes } from "@caliban/common";
import { type FrontMatter, parsePlainHeader, splitFrontMatter } from "@caliban/common/front-matter";
import type { CommandProblemCode, CommandSource, CustomCommand } from "./custom-command.ts";

/** A command, or what is wrong with its text. */
export type ReadCommand =
  | { readonly kind: "command"; readonly command: CustomCommand }
  | {
      readonly kind: "problem";
      readonly code: CommandProblemCode;
      readonly message: string;
      readonly line: number;
    };

/** The longest text of a command; a model reads all of it. */
export const MAX_BODY_BYTES: number = 64 * 1024;
const MAX_DESCRIPTION = 200;
const MAX_HINT = 80;
const MAX_MESSAGE = 300;

/**
 * Reads the text of a command. Most headers are lines of `key: text`, also where YAML would object, as in
 * `argument-hint: [file] [line]`. The parser is called for the others.
 */
export async function readCommand(
  written: string,
  source: CommandSource,
  loadYaml: () => Promise<(text: string) => FrontMatter>,
): Promise<ReadCommand> {
  const nul = written.indexOf("\0");
  if (nul !== -1) return problem("NOT_TEXT", "Not a text file.", lineAt(written, nul));
  const text = written.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const front = readLines(text) ?? (await loadYaml())(text);
  if (front.kind === "broken") return problem("BROKEN_HEADER", front.message, front.line);
  const header = front.kind === "header" ? front : { data: {}, header: "" };
  const fields = readFields(header.data);
  if ("invalidKey" in fields) {
    const line = header.header.split("\n").findIndex((each) => each.startsWith(fields.invalidKey));
    return problem("INVALID_FIELD", `${fields.invalidKey} must be one line of text.`, line + 2);
  }
  const body = `${front.body.replace(/^(?:[ \t]*\n)+/, "").trimEnd()}\n`;
  const firstLine = lineAt(text, text.length - front.body.length);
  if (body === "\n")
    return problem(
      "EMPTY_BODY",
      "The command has no text. Write it below the front matter.",
      firstLine,
    );
  if (utf8Bytes(body) > MAX_BODY_BYTES)
    return problem("TOO_LARGE", `The text is longer than ${MAX_BODY_BYTES} bytes.`, firstLine);
  const { description = summaryOf(body), argumentHint } = fields;
  const ignoredKeys = WITHOUT_EFFECT.filter((key) => Object.hasOwn(header.data, key));
  return {
    kind: "command",
    command: { ...source, description, argumentHint, body, ignoredKeys },
  };
}

/** They would decide for the user: what runs without a question, and which model is paid. */
const WITHOUT_EFFECT = ["allowed-tools", "model"];

/** A header without anything that only YAML can tell. */
function readLines(text: string): FrontMatter | undefined {
  const split = splitFrontMatter(text);
  if (split.kind !== "header") return split;
  const data = parsePlainHeader(split.header, { readScalar, isForgiving: true });
  return data === undefined ? undefined : { ...split, data };
}

/** The text as typed, without quotes around all of it. `undefined` for syntax that goes on in the next lines. */
function readScalar(source: string): string | undefined {
  if (/^[|>&*!%@`]/.test(source)) return undefined;
  const text = source.trim();
  const quoted = /^"([^"\\]*)"$/.exec(text) ?? /^'([^']*)'$/.exec(text);
  if (quoted === null && /^["']/.test(text)) return undefined;
  return quoted?.[1] ?? text;
}

interface Fields {
  readonly description?: string | undefined;
  readonly argumentHint?: string | undefined;
}

function readFields(
  data: Readonly<Record<string, unknown>>,
): Fields | { readonly invalidKey: string } {
  for (const key of ["description", "argument-hint"]) {
    if (!isLine(data[key])) return { invalidKey: key };
  }
  const description = shownLine(data["description"], MAX_DESCRIPTION);
  const argumentHint = shownLine(data["argument-hint"], MAX_HINT);
  return { description, argumentHint };
}

/** In YAML, `[file]` is a list, and a number is not text. */
function isLine(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => typeof item !== "object");
  return typeof value !== "object";
}

function shownLine(value: unknown, maxCharacters: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  const texts: readonly unknown[] = Array.isArray(value)
    ? value.map((item) => `[${item}]`)
    : [value];
  return limited(texts.join(" "), maxCharacters) || undefined;
}

/** What a command without a description is about. */
function summaryOf(body: string): string {
  const line = body.split("\n").find((each) => /[\p{L}\p{N}]/u.test(each)) ?? "";
  return limited(line.replace(/^[#>*\-\s]+/, ""), MAX_HINT);
}

function limited(text: string, maxCharacters: number): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= maxCharacters) return terminalSafeLine(line);
  return `${terminalSafeLine(characters.slice(0, maxCharacters - 1).join(""))}…`;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

function problem(code: CommandProblemCode, message: string, line: number): ReadCommand {
  const shown = terminalSafeLine(message.slice(0, MAX_MESSAGE));
  return { kind: "problem", code, message: shown, line: Math.max(1, line) };
}
