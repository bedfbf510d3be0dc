import { terminalSafeLine, utf8Bytes } from "@caliban/common";
import { type FrontMatter, parsePlainFrontMatter } from "@caliban/common/front-matter";
import type { SkillProblemCode } from "./skill-diagnostic.ts";
import type { Skill } from "./skill.ts";

/** Where the text of a skill comes from. */
export interface SkillSource extends Pick<Skill, "path" | "origin"> {
  /** The name of the directory of SKILL.md, which is the default name of the skill. */
  readonly directoryName: string;
}

/** A skill, or why the text is not a valid one. */
export type ParsedSkill =
  | { readonly kind: "skill"; readonly skill: Skill }
  | {
      readonly kind: "problem";
      readonly code: SkillProblemCode;
      readonly message: string;
      /** Counted from 1. */
      readonly line: number;
    };

const MAX_BODY_BYTES: number = 64 * 1024;
const MAX_DESCRIPTION_CHARACTERS = 1024;
const MAX_MESSAGE_CHARACTERS = 300;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
// Ours is the first; skills for other agents use the second.
const INVOCATION_KEYS = ["disable_model_invocation", "disable-model-invocation"] as const;

/** Reads a SKILL.md with a plain header; `undefined` when it needs a YAML parser, which is slow to load. */
export function readPlainSkill(text: string, source: SkillSource): ParsedSkill | undefined {
  const front = parsePlainFrontMatter(normalizeLineEnds(text));
  return front === undefined ? undefined : readSkill(text, source, () => front);
}

/** Reads a SKILL.md with the given header parser. Unknown keys are ignored: they belong to other programs. */
export function readSkill(
  text: string,
  source: SkillSource,
  parseHeader: (text: string) => FrontMatter,
): ParsedSkill {
  const nul = text.indexOf("\0");
  if (nul !== -1) return problem("NOT_TEXT", "Not a text file.", lineAt(text, nul));
  const front = parseHeader(normalizeLineEnds(text));
  if (front.kind === "broken") return problem("BROKEN_HEADER", front.message, front.line);
  if (front.kind === "none") return problem("BROKEN_HEADER", NO_HEADER, 1);

  const { data, header } = front;
  const name = readName(data["name"] ?? source.directoryName);
  if (typeof name === "object") return problemAt(name, header);
  const description = readDescription(data["description"]);
  if (typeof description === "object") return problemAt(description, header);
  const modelInvocation = readModelInvocation(data);
  if (typeof modelInvocation === "object") return problemAt(modelInvocation, header);
  const body = readBody(front.body);
  if (typeof body === "object") return problemAt(body, header);

  const { path, origin } = source;
  return { kind: "skill", skill: { name, description, body, path, origin, modelInvocation } };
}

const NO_HEADER =
  "The header is missing. Begin the file with a line ---, a line description: … and another line ---.";

interface FieldProblem {
  readonly code: SkillProblemCode;
  readonly message: string;
  /** The key with the problem; none for the body. */
  readonly key?: string;
}

function readName(written: unknown): string | FieldProblem {
  if (typeof written === "string" && NAME.test(written)) return written;
  const shown = typeof written === "string" ? JSON.stringify(written.slice(0, 80)) : "That";
  const message = `${shown} is not a valid skill name. Set name: in the header to 1 to 64 letters, digits, dots, dashes and underscores, with a letter or digit first.`;
  return { code: "INVALID_NAME", key: "name", message };
}

function readDescription(written: unknown): string | FieldProblem {
  const field = { code: "INVALID_DESCRIPTION", key: "description" } as const;
  const line = typeof written === "string" ? escapedLine(written) : "";
  if (line === "") {
    return {
      ...field,
      message:
        "The description is missing. Add description: to the header and say what the skill is for.",
    };
  }
  if (line.length <= MAX_DESCRIPTION_CHARACTERS) return line;
  const message = `The description has ${line.length} characters; the limit is ${MAX_DESCRIPTION_CHARACTERS}.`;
  return { ...field, message };
}

/** Rejects anything but true and false: a guess could offer a skill to the model that the author did not want to. */
function readModelInvocation(data: Readonly<Record<string, unknown>>): boolean | FieldProblem {
  const given = INVOCATION_KEYS.filter((key) => data[key] !== undefined && data[key] !== null);
  const invalid = given.find((key) => typeof data[key] !== "boolean");
  if (invalid === undefined) return given.every((key) => data[key] === false);
  return { code: "INVALID_FIELD", key: invalid, message: `${invalid} must be true or false.` };
}

function readBody(written: string): string | FieldProblem {
  const body = `${written.replace(/^(?:[ \t]*\n)+/, "").trimEnd()}\n`;
  if (body === "\n") return { code: "EMPTY_BODY", message: "There is no text below the header." };
  if (utf8Bytes(body) <= MAX_BODY_BYTES) return body;
  const message = `The text below the header is longer than ${MAX_BODY_BYTES} bytes.`;
  return { code: "TOO_LARGE", message };
}

/** Every description is listed, even if no one asked for the skill, so it must not contain markup or control codes. */
function escapedLine(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, " ").trim();
  return terminalSafeLine(line).replaceAll("<", "&lt;");
}

function normalizeLineEnds(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
}

function problemAt({ code, message, key }: FieldProblem, header: string): ParsedSkill {
  const lines = header.split("\n");
  // The header begins on line 2 and ends with a line end; the body begins below the line after it.
  if (key === undefined) return problem(code, message, lines.length + 2);
  return problem(code, message, lines.findIndex((line) => line.startsWith(`${key}:`)) + 2);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** A message may quote the file, so it is escaped like a description. */
function problem(code: SkillProblemCode, message: string, line: number): ParsedSkill {
  const shown = terminalSafeLine(message.slice(0, MAX_MESSAGE_CHARACTERS));
  return { kind: "problem", code, message: shown, line };
}
