import { terminalSafeLine, utf8Bytes } from "@caliban/common";
import { type FrontMatter, parsePlainFrontMatter } from "@caliban/common/front-matter";
import type { SkillProblemCode } from "./skill-diagnostic.ts";
import type { Skill } from "./skill.ts";

/** Where the text of a skill comes from. */
export interface SkillSource extends Pick<Skill, "path" | "origin"> {
  /** The directory that SKILL.md is in, which names a skill that does not name itself. */
  readonly directoryName: string;
}

/** A skill, or what is wrong with the text and where. */
export type ParsedSkill =
  | { readonly kind: "skill"; readonly skill: Skill }
  | {
      readonly kind: "problem";
      readonly code: SkillProblemCode;
      readonly sentence: string;
      /** Counts from 1. */
      readonly line: number;
    };

const MAX_BODY_BYTES: number = 64 * 1024;
const MAX_DESCRIPTION_CHARACTERS = 1024;
const MAX_SENTENCE_CHARACTERS = 300;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
// We write the first; skills made for other agents have the second.
const INVOCATION_KEYS = ["disable_model_invocation", "disable-model-invocation"] as const;

/** Reads the text of a SKILL.md whose header is plain; `undefined` where it takes a YAML parser, which is slow to load. */
export function readPlainSkill(text: string, source: SkillSource): ParsedSkill | undefined {
  const front = parsePlainFrontMatter(withPlainLineEnds(text));
  return front === undefined ? undefined : readSkill(text, source, () => front);
}

/** Reads the text of a SKILL.md with a parser of headers; keys it does not know are left to other programs. */
export function readSkill(
  text: string,
  source: SkillSource,
  parseHeader: (text: string) => FrontMatter,
): ParsedSkill {
  const nul = text.indexOf("\0");
  if (nul !== -1) return problem("NOT_TEXT", "It is not a text.", lineAt(text, nul));
  const front = parseHeader(withPlainLineEnds(text));
  if (front.kind === "broken") return problem("BROKEN_HEADER", front.message, front.line);
  if (front.kind === "none") return problem("BROKEN_HEADER", NO_HEADER, 1);

  const { data, header } = front;
  const name = readName(data["name"] ?? source.directoryName);
  if (typeof name === "object") return located(name, header);
  const description = readDescription(data["description"]);
  if (typeof description === "object") return located(description, header);
  const modelInvocation = readModelInvocation(data);
  if (typeof modelInvocation === "object") return located(modelInvocation, header);
  const body = readBody(front.body);
  if (typeof body === "object") return located(body, header);

  const { path, origin } = source;
  return { kind: "skill", skill: { name, description, body, path, origin, modelInvocation } };
}

const NO_HEADER =
  "It has no header; begin it with a line ---, a line description: and another line ---.";

interface FieldProblem {
  readonly code: SkillProblemCode;
  readonly sentence: string;
  /** The key it is about; none for the body. */
  readonly key?: string;
}

function readName(written: unknown): string | FieldProblem {
  if (typeof written === "string" && NAME.test(written)) return written;
  const shown = typeof written === "string" ? JSON.stringify(written.slice(0, 80)) : "That";
  const sentence = `${shown} is not the name of a skill: a text of 1 to 64 letters, digits, dots, dashes and underscores, with a letter or digit first; write one as name: in its header.`;
  return { code: "INVALID_NAME", key: "name", sentence };
}

function readDescription(written: unknown): string | FieldProblem {
  const field = { code: "INVALID_DESCRIPTION", key: "description" } as const;
  const line = typeof written === "string" ? harmlessLine(written) : "";
  if (line === "") {
    return { ...field, sentence: "It needs a description: a text that says what it is for." };
  }
  if (line.length <= MAX_DESCRIPTION_CHARACTERS) return line;
  const sentence = `The description has ${line.length} characters; at most ${MAX_DESCRIPTION_CHARACTERS} are read.`;
  return { ...field, sentence };
}

/** Reports what is neither true nor false: a guess could offer to the model what the author withheld. */
function readModelInvocation(data: Readonly<Record<string, unknown>>): boolean | FieldProblem {
  const given = INVOCATION_KEYS.filter((key) => data[key] !== undefined && data[key] !== null);
  const odd = given.find((key) => typeof data[key] !== "boolean");
  if (odd === undefined) return given.every((key) => data[key] === false);
  return { code: "INVALID_FIELD", key: odd, sentence: `${odd} must be true or false.` };
}

function readBody(written: string): string | FieldProblem {
  const body = `${written.replace(/^(?:[ \t]*\n)+/, "").trimEnd()}\n`;
  if (body === "\n") return { code: "EMPTY_BODY", sentence: "There is no text below its header." };
  if (utf8Bytes(body) <= MAX_BODY_BYTES) return body;
  const sentence = `The text below its header is longer than ${MAX_BODY_BYTES} bytes.`;
  return { code: "TOO_LARGE", sentence };
}

/** Every description is listed, also of a skill nobody asked for: no markup, and no control of a terminal. */
function harmlessLine(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, " ").trim();
  return terminalSafeLine(line).replaceAll("<", "&lt;");
}

function withPlainLineEnds(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
}

function located({ code, sentence, key }: FieldProblem, header: string): ParsedSkill {
  const lines = header.split("\n");
  // The header begins on line 2, and its text ends with a line end; the body begins below the line after it.
  if (key === undefined) return problem(code, sentence, lines.length + 2);
  return problem(code, sentence, lines.findIndex((line) => line.startsWith(`${key}:`)) + 2);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** A sentence may quote the file, so it is made as harmless as a description. */
function problem(code: SkillProblemCode, sentence: string, line: number): ParsedSkill {
  const shown = terminalSafeLine(sentence.slice(0, MAX_SENTENCE_CHARACTERS));
  return { kind: "problem", code, sentence: shown, line };
}
