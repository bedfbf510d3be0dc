/** The parts of a SKILL.md. */
export interface SkillText {
  /** The text between the two `---` lines; empty when there is no header. */
  readonly header: string;
  readonly body: string;
}

/** Finds the header of a SKILL.md without a YAML parser, which would delay the first prompt. */
export function splitSkill(text: string): SkillText {
  const plain = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const found = /^---[ \t]*\n(?<header>(?:[^\n]*\n)*?)---[ \t]*(?:\n|$)/.exec(plain);
  if (found === null) return { header: "", body: plain };
  return { header: found.groups?.["header"] ?? "", body: plain.slice(found[0].length) };
}

/** The description in a header on one line; empty when there is none. */
export function readDescription(header: string): string {
  const lines = header.split("\n");
  const at = lines.findIndex((line) => /^description\s*:/.test(line));
  if (at === -1) return "";
  const first = (lines[at] ?? "").replace(/^description\s*:/, "").trim();
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => /^\S/.test(line));
  const more = end === -1 ? rest : rest.slice(0, end);
  const isBlock = /^[|>][+-]?\d?$/.test(first);
  return oneLine(unquoted([isBlock ? "" : first, ...more].join(" ").trim()));
}

/** A text on one line, with every run of white space as one space. */
export function oneLine(text: string): string {
  return text.toWellFormed().replaceAll(/\s+/g, " ").trim();
}

function unquoted(value: string): string {
  if (/^'.*'$/s.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  if (!/^".*"$/s.test(value)) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "string" ? parsed : value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return value.slice(1, -1);
  }
}
