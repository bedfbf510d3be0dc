import { tokensToBytes, terminalSafeLine, utf8Bytes } from "@caliban/common";
import { cutAtSection } from "../text/cut-at-section.ts";
import { oneLine } from "./skill-header.ts";
import { insideBoundary } from "../prompts/boundaries.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";

/** What a new session is given. */
export interface GuidanceInput {
  readonly memorySummary: string;
  readonly skills: readonly OfferedSkill[];
  readonly maxTokens: number;
}

/** A playbook's name and purpose. */
export interface OfferedSkill {
  readonly name: string;
  readonly description: string;
}

const MAX_DESCRIPTION_CHARACTERS = 200;
/** Of the space after the fixed text, so that many skills leave space for the summary. */
const SKILLS_SHARE = 0.25;
const CUT_LINE = "[The rest of this summary: memory://root]";

/**
 * The text in the prompt, never over the limit; `undefined` when the summary is empty or the limit leaves no space for any
 * of it.
 */
export function renderGuidance(input: GuidanceInput): string | undefined {
  // Escaped before it is measured, because escaping may make it longer.
  const summary = insideBoundary(input.memorySummary.replaceAll(/\r\n?/g, "\n").trim());
  if (summary === "") return undefined;
  const available = tokensToBytes(input.maxTokens) - utf8Bytes(frame("", ""));
  const skills = skillLines(input.skills, Math.floor(available * SKILLS_SHARE));
  const kept = fitSummary(summary, available - utf8Bytes(skills));
  if (kept === "") return undefined;
  return frame(kept, skills);
}

function frame(memorySummary: string, skills: string): string {
  return renderPrompt("read_path", { memory_summary: memorySummary, skills: skills || "(none)" });
}

function fitSummary(summary: string, maxBytes: number): string {
  if (utf8Bytes(summary) <= maxBytes) return summary;
  // A cut in the middle of a word can create one of our tags, which is longer when escaped.
  const { text } = cutAtSection(summary, maxBytes - utf8Bytes(CUT_LINE) - 2 - "lt;".length);
  return text.trim() === "" ? "" : `${text.trimEnd()}\n\n${CUT_LINE}`;
}

/** One line per skill, as many as fit, and a line for the others. */
function skillLines(skills: readonly OfferedSkill[], maxBytes: number): string {
  const lines = skills.map(skillLine);
  const all = lines.join("\n");
  if (utf8Bytes(all) <= maxBytes) return all;
  let bytesLeft = maxBytes - utf8Bytes(OTHERS);
  const kept: string[] = [];
  for (const line of lines) {
    bytesLeft -= utf8Bytes(line) + 1;
    if (bytesLeft < 0) break;
    kept.push(line);
  }
  return [...kept, OTHERS].join("\n");
}

const OTHERS = "- others: memory://root/skills";

function skillLine({ name, description }: OfferedSkill): string {
  const line = terminalSafeLine(oneLine(description));
  const isLong = line.length > MAX_DESCRIPTION_CHARACTERS;
  const shown = isLong
    ? `${line
        .slice(0, MAX_DESCRIPTION_CHARACTERS - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line;
  return insideBoundary(shown === "" ? `- ${name}` : `- ${name}: ${shown}`);
}
