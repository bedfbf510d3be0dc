import { terminalSafeLine } from "@caliban/common";
import { descriptionOf, oneLine, splitSkill } from "./skill-header.ts";

const MAX_DESCRIPTION_CHARACTERS = 1024;

/**
 * A SKILL.md that every loader of skills takes: our own header, with a description from the old one or else from the text.
 * `undefined` when there is no text below the header.
 */
export function renderSkill(name: string, content: string): string | undefined {
  const { header, body } = splitSkill(content.replaceAll("\0", "").toWellFormed());
  const text = body.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  if (text.trim() === "") return undefined;
  const description = shortened(harmless(descriptionOf(header)) || fromText(text) || name);
  // A JSON text is a YAML text.
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${text}\n`;
}

/** The first line that says something, without the marks of a heading or a list. */
function fromText(text: string): string {
  const lines = text.split("\n").map((line) => harmless(line.replace(/^\s*(?:#+|[-*+>])\s+/, "")));
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? "";
}

function harmless(line: string): string {
  return terminalSafeLine(oneLine(line)).replaceAll("<", "&lt;");
}

function shortened(line: string): string {
  if (line.length <= MAX_DESCRIPTION_CHARACTERS) return line;
  return `${line
    .slice(0, MAX_DESCRIPTION_CHARACTERS - 1)
    .toWellFormed()
    .trimEnd()}…`;
}
