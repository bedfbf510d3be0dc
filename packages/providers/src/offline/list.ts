import { NO_MEMORY } from "./messages.ts";
import { type Move, say, type Step, type Turn } from "./turn.ts";

const MAX_LINES = 50;

/** Lists the current index; where it cannot be read, the index in the prompt and the changes since. */
export function list(turn: Turn): Move {
  const { steps, tools } = turn;
  if (!tools.has("MemorySearch")) return say(NO_MEMORY);
  const addresses = turn.hasUserScope ? [INDEX, USER_INDEX] : [INDEX];
  const reads = steps.filter(({ name }) => name === "Read");
  if (reads.length === 0 && tools.has("Read")) {
    const calls = addresses.map((address) => ({ name: "Read", input: { file_path: address } }));
    return { kind: "call", calls };
  }
  const [project, user] = [linesAt(INDEX, reads), linesAt(USER_INDEX, reads)];
  if (project === undefined) return say(listFromPrompt(turn));
  const lists = [
    ...(project.length === 0 ? [] : [`Memory contains:\n\n${bullets(project)}`]),
    ...(user === undefined || user.length === 0
      ? []
      : [`About you, in every project:\n\n${bullets(user)}`]),
  ];
  return say(lists.length === 0 ? EMPTY : lists.join("\n\n"));
}

const INDEX = "memory://index";
const USER_INDEX = "memory://user/index";

/** The lines of an index; `undefined` if it could not be read. */
function linesAt(address: string, reads: readonly Step[]): readonly string[] | undefined {
  const read = reads.findLast(({ input }) => input["file_path"] === address);
  if (read === undefined || read.isError) return undefined;
  return indexLines(read.text.replaceAll(/<!--[\s\S]*?-->/g, ""));
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

/** The indexes of the project and of the user. No memory file can contain these tags: they are escaped when the prompt is built. */
function indexBlock(system: string): string {
  return [...system.matchAll(/<auto-memory-index [\s\S]*?(?=<\/auto-memory-index>)/g)].join("\n");
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
