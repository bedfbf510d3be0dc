import type { PromptFacts, Step } from "./prompt-facts.ts";
import { call, type Move, say } from "./move.ts";
import { savedSlug } from "./tool-answers.ts";
import { NO_MEMORY } from "./wording.ts";

const MOST_LINES = 50;

/** The index as it is now; where it cannot be read, as the prompt shows it, and what this conversation did since. */
export function listMove(facts: PromptFacts): Move {
  const { steps, tools } = facts;
  if (!tools.has("MemorySearch")) return say(NO_MEMORY);
  const read = steps.findLast(({ name }) => name === "Read");
  if (read === undefined && tools.has("Read")) return call("Read", { file_path: "memory://index" });
  if (read === undefined || read.isError) return say(sinceTheBeginning(facts));
  const index = read.text.replaceAll(/^\d+\t/gm, "").replaceAll(/<!--[\s\S]*?-->/g, "");
  const lines = topicLines(index);
  return say(lines.length === 0 ? NOTHING_YET : `Memory holds:\n\n${shown(lines)}`);
}

const NOTHING_YET =
  'There is nothing in memory yet. Say "remember that …", and it is there in the next session, too.';

function sinceTheBeginning({ system, allSteps }: PromptFacts): string {
  const { lines, notShown } = indexOf(system);
  const saved = allSteps.flatMap(savedBy);
  const deleted = allSteps.flatMap(deletedBy);
  if (lines.length + saved.length + deleted.length === 0) return NOTHING_YET;
  const paragraphs = [
    lines.length === 0
      ? "When this session began, memory was empty."
      : `When this session began, memory held:\n\n${shown(lines)}${notShown}`,
    ...(saved.length === 0 ? [] : [`Saved since then:\n\n${shown(saved)}`]),
    ...(deleted.length === 0 ? [] : [`Deleted since then: ${deleted.join(", ")}.`]),
  ];
  return paragraphs.join("\n\n");
}

const LINE = /^\s*[-*+] \[(.+?)\]\([^)\n]*\.md>?\)(?: — |: | - )?(.*)$/gm;

function indexOf(system: string): { readonly lines: readonly string[]; readonly notShown: string } {
  const block = blockOf(system);
  const lines = topicLines(block);
  const [, count] = /^\[not shown: (\d+) topics?;/m.exec(block) ?? [];
  const notShown = count === undefined ? "" : `\n\nand ${count} more, which a question finds.`;
  return { lines, notShown };
}

function topicLines(index: string): readonly string[] {
  return [...index.matchAll(LINE)].map(([, slug = "", about = ""]) => `${slug} (${about})`);
}

/** No memory file can hold these tags: they are escaped where the prompt is made. */
function blockOf(system: string): string {
  const start = system.indexOf("<auto-memory-index ");
  const end = system.indexOf("</auto-memory-index>", start);
  return start === -1 || end === -1 ? "" : system.slice(start, end);
}

function shown(lines: readonly string[]): string {
  const left = lines.length - MOST_LINES;
  const rest = left > 0 ? `\n- and ${left} more: \`caliban memory list\`` : "";
  return `${lines
    .slice(0, MOST_LINES)
    .map((line) => `- ${line}`)
    .join("\n")}${rest}`;
}

function savedBy({ name, input, text, isError }: Step): readonly string[] {
  if (name !== "WriteMemoryTopic" || isError) return [];
  const slug = savedSlug(text);
  const description: unknown =
    typeof input === "object" && input !== null ? Reflect.get(input, "description") : undefined;
  return slug === undefined ? [] : [`${slug} (${String(description)})`];
}

function deletedBy({ name, text, isError }: Step): readonly string[] {
  const slug = /^Deleted (.+?) \(/.exec(text)?.[1];
  return name !== "DeleteMemoryTopic" || isError || slug === undefined ? [] : [slug];
}
