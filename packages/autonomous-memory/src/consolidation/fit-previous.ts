import { utf8Bytes } from "@caliban/common";
import { cutAtSection } from "../generation/cut-at-section.ts";
import { insideBoundary } from "../prompts/boundaries.ts";
import type { PromptVariables } from "../prompts/prompt-variables.ts";
import type { ConsolidatedMemory, MemorySkill, PreviousMemory } from "./consolidation-task.ts";

/** What a model was not shown of the memory as it is, and so cannot give back. */
export interface NotShown {
  readonly memoryMd: string;
  readonly skills: readonly MemorySkill[];
}

/** The previous memory as far as there is room. */
export interface FittedPrevious {
  readonly variables: Pick<
    PromptVariables<"consolidation">,
    "memory_md" | "memory_summary" | "skills"
  >;
  readonly bytes: number;
  readonly notShown: NotShown;
}

const MEMORY_MARK =
  "\n[The rest of the document is not shown. It stays as it is: neither repeat nor replace it.]\n";
const SUMMARY_MARK = "\n[The rest of the summary is not shown.]\n";
const NOTHING: PreviousMemory = { memoryMd: "", memorySummary: "", skills: [], handEdits: [] };

/** The document first, then playbooks whole or not at all, then the summary, which the document can make good. */
export function fitPrevious(
  previous: PreviousMemory | undefined,
  maxBytes: number,
): FittedPrevious {
  const { memoryMd, memorySummary, skills } = previous ?? NOTHING;
  const document = cutWithMark(insideBoundary(memoryMd), maxBytes, MEMORY_MARK);
  const playbooks = fitSkills(skills, maxBytes - document.bytes);
  const room = maxBytes - document.bytes - playbooks.bytes;
  const summary = cutWithMark(insideBoundary(memorySummary), room, SUMMARY_MARK);
  return {
    variables: {
      memory_md: document.text,
      memory_summary: summary.text,
      skills: playbooks.text,
    },
    bytes: document.bytes + playbooks.bytes + summary.bytes,
    notShown: { memoryMd: document.rest, skills: playbooks.rest },
  };
}

/** A memory that was answered, with what the model could not know of. */
export function withNotShown(memory: ConsolidatedMemory, notShown: NotShown): ConsolidatedMemory {
  const unseen = new Set(notShown.skills.map(({ name }) => name));
  return {
    ...memory,
    memoryMd:
      notShown.memoryMd === ""
        ? memory.memoryMd
        : `${memory.memoryMd.trimEnd()}\n\n${notShown.memoryMd}`,
    skills: [...memory.skills.filter(({ name }) => !unseen.has(name)), ...notShown.skills],
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
