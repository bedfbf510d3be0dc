import { NO_MEMORY } from "./messages.ts";
import { call, type Move, say, type Step, type Turn } from "./turn.ts";

const MAX_LINES = 50;

/** Lists the current index; where it cannot be read, the index in the prompt and the changes since. */
export function list(turn: Turn): Move {
  const { steps, tools } = turn;
  if (!tools.has("MemorySearch")) return say(NO_MEMORY);
  const read = steps.findLast(({ name }) => name === "Read");
  if (read === undefined && tools.has("Read")) return call("Read", { file_path: "memory://index" });
  if (read === undefined || read.isError) return say(listFromPrompt(turn));
  const lines = indexLines(read.text.replaceAll(/<!--[\s\S]*?-->/g, ""));
  return say(lines.length === 0 ? EMPTY : `Memory contains:\n\n${bullets(lines)}`);
}

const EMPTY =
  'There is nothing in memory yet. Say "remember that …", and later sessions will know it, too.';

function listFromPrompt({ system, allSteps }: Turn): string {
  const index = indexBlock(system);
  const lines = indexLines(index);
  const saved = changedTopics(allSteps, "WriteMemoryTopic");
  const deleted = changedTopics(allSteps, "DeleteMemoryTopic");
  if (lines.length + saved.length + deleted.length === 0) return EMPTY;
  const [, hiddenCount] = /^\[not shown: (\d+) topics?;/m.exec(index) ?? [];
  const hidden = hiddenCount === undefined ? "" : `\n\nand ${hiddenCount} more; ask about them.`;
  const paragraphs = [
    lines.length === 0
      ? "When this session started, memory was empty."
      : `When this session started, memory contained:\n\n${bullets(lines)}${hidden}`,
    ...(saved.length === 0 ? [] : [`Saved since then:\n\n${bullets(saved)}`]),
    ...(deleted.length === 0 ? [] : [`Deleted since then: ${deleted.join(", ")}.`]),
  ];
  return paragraphs.join("\n\n");
}

/** A line of the index file; the Read tool puts line numbers before it. */
const INDEX_LINE = /^(?:\d+\t)?\s*[-*+] \[(.+?)\]\([^)\n]*\.md>?\)(?: — |: | - )?(.*)$/gm;

function indexLines(index: string): readonly string[] {
  return [...index.matchAll(INDEX_LINE)].map(([, slug = "", about = ""]) => `${slug} (${about})`);
}

/** No memory file can contain these tags: they are escaped when the prompt is built. */
function indexBlock(system: string): string {
  const start = system.indexOf("<auto-memory-index ");
  const end = system.indexOf("</auto-memory-index>", start);
  return start === -1 || end === -1 ? "" : system.slice(start, end);
}

function bullets(lines: readonly string[]): string {
  const hiddenCount = lines.length - MAX_LINES;
  const rest = hiddenCount > 0 ? [`and ${hiddenCount} more; ask about them`] : [];
  return [...lines.slice(0, MAX_LINES), ...rest].map((line) => `- ${line}`).join("\n");
}

/** The topics that a tool changed in this conversation, by what it was called with. */
function changedTopics(steps: readonly Step[], tool: string): readonly string[] {
  return steps
    .filter(({ name, isError }) => name === tool && !isError)
    .flatMap(({ input: { name, description } }) => {
      if (typeof name !== "string") return [];
      return typeof description === "string" ? `${name} (${description})` : name;
    });
}
