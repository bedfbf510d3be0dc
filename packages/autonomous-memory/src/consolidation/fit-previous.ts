import { utf8Bytes } from "@caliban/common";
import { cutAtSection } from "../text/cut-at-section.ts";
import { insideBoundary } from "../prompts/boundaries.ts";
import type { PromptVariables } from "../prompts/prompt-variables.ts";
import type { ConsolidatedMemory, MemorySkill, PreviousMemory } from "../generation/memory.ts";

/** The part of the current memory that was not shown to the model, which therefore cannot repeat it. */
export interface OmittedMemory {
  readonly memoryMd: string;
  readonly skills: readonly MemorySkill[];
}

/** As much of the previous memory as fits. */
export interface FittedPrevious {
  readonly variables: Pick<
    PromptVariables<"consolidation">,
    "memory_md" | "memory_summary" | "skills"
  >;
  readonly bytes: number;
  readonly omitted: OmittedMemory;
}

const MEMORY_MARK =
  "\n[The rest of the document is not shown. It stays as it is: neither repeat nor replace it.]\n";
const SUMMARY_MARK = "\n[The rest of the summary is not shown.]\n";
const NOTHING: PreviousMemory = { memoryMd: "", memorySummary: "", skills: [], handEdits: [] };

/** The document first, then complete playbooks, then the summary, which can be derived from the document. */
export function fitPrevious(
  previous: PreviousMemory | undefined,
  maxBytes: number,
): FittedPrevious {
  const { memoryMd, memorySummary, skills } = previous ?? NOTHING;
  const document = cutWithMark(insideBoundary(memoryMd), maxBytes, MEMORY_MARK);
  const playbooks = fitSkills(skills, maxBytes - document.bytes);
  const left = maxBytes - document.bytes - playbooks.bytes;
  const summary = cutWithMark(insideBoundary(memorySummary), left, SUMMARY_MARK);
  return {
    variables: {
      memory_md: document.text,
      memory_summary: summary.text,
      skills: playbooks.text,
    },
    bytes: document.bytes + playbooks.bytes + summary.bytes,
    omitted: { memoryMd: document.rest, skills: playbooks.rest },
  };
}

/** Adds what the model was not shown to the memory that it answered. */
export function restoreOmitted(
  memory: ConsolidatedMemory,
  omitted: OmittedMemory,
): ConsolidatedMemory {
  const unseen = new Set(omitted.skills.map(({ name }) => name));
  return {
    ...memory,
    memoryMd:
      omitted.memoryMd === ""
        ? memory.memoryMd
        : `${memory.memoryMd.trimEnd()}\n\n${omitted.memoryMd}`,
    skills: [...memory.skills.filter(({ name }) => !unseen.has(name)), ...omitted.skills],
  };
}

interface FittedText {
  readonly text: string;
  readonly bytes: number;
  readonly rest: string;
}

function cutWithMark(text: string, maxBytes: number, mark: string): FittedText {
  const size = utf8Bytes(text);
  if (size <= maxBytes) return { text, bytes: size, rest: "" };
  if (maxBytes < utf8Bytes(mark)) return { text: "", bytes: 0, rest: text };
  const shown = cutAtSection(text, maxBytes - utf8Bytes(mark)).text.trimEnd();
  const marked = `${shown}${mark}`;
  const rest = text.slice(shown.length).replace(/^\n+/, "");
  return { text: marked, bytes: utf8Bytes(marked), rest };
}

function fitSkills(
  skills: readonly MemorySkill[],
  maxBytes: number,
): Omit<FittedText, "rest"> & { readonly rest: readonly MemorySkill[] } {
  const lines: string[] = [];
  const rest: MemorySkill[] = [];
  let bytes = 0;
  for (const skill of skills) {
    const { name, content, scripts, templates, examples } = skill;
    const json = JSON.stringify({ name, content, scripts, templates, examples });
    const line = `${insideBoundary(json)}\n`;
    const size = utf8Bytes(line);
    if (bytes + size > maxBytes) {
      rest.push(skill);
      continue;
    }
    lines.push(line);
    bytes += size;
  }
  return { text: lines.join(""), bytes, rest };
}
