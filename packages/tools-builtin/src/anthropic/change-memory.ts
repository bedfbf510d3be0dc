import { terminalSafeLine } from "@caliban/common";
import { type Author, MemoryError, type StoredTopic, type ParsedTopic } from "@caliban/memory";
import type { AnthropicMemoryOptions, AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
import type { TextEdit } from "./edit-text.ts";
import { linesOf } from "./file-lines.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";
import { MEMORIES_DIRECTORY, parseMemoryPath } from "./memory-path.ts";

/** What the commands work with. */
export interface MemoryHandlerContext extends AnthropicMemoryOptions {
  readonly store: AnthropicMemoryStore;
}

/** Makes a file that was not there. */
export async function createFile(
  memory: MemoryHandlerContext,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<string> {
  const name = topicOf(path, "create");
  const request = { name, text, fallbackType: "project", author: authorOf(memory) } as const;
  const result = await memory.store.edit(request);
  if (result.kind !== "edited") {
    const other = result.kind === "conflict" && result.current.slug !== name;
    const as = other ? ` as ${MEMORIES_DIRECTORY}/${quoteLine(result.current.slug)}.md` : "";
    throw new MemoryCommandError(`Error: File ${quoteLine(path)} already exists${as}`);
  }
  const { slug, topic, warning } = result;
  tell(memory, `saved ${slug} (${topic.topic.type}: ${topic.topic.description})`);
  return withNotes(`File created successfully at: ${path}`, [warning]);
}

/** A change of a file that is there, with the words for one that is not. */
export interface FileChange {
  readonly path: string;
  readonly command: string;
  readonly missing: string;
  readonly change: (text: string) => TextEdit;
}

/** Somebody else may be faster now and then, not always. */
const MOST_ATTEMPTS = 100;

/** Changes a file, whatever others make of it meanwhile: the change is made on what is there. */
export async function changeFile(
  memory: MemoryHandlerContext,
  { path, command, missing, change }: FileChange,
): Promise<{ readonly edited: TextEdit; readonly text: string; readonly notes: string }> {
  const name = topicOf(path, command);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    // oxlint-disable-next-line no-await-in-loop -- each begins with what the last one found
    const current = await memory.store.read(name);
    if (current === undefined) break;
    const edited = change(current.text);
    // oxlint-disable-next-line no-await-in-loop
    const result = await editedTopic(memory, current, edited.text);
    if (result.kind === "missing") break;
    if (result.kind === "unchanged") return { edited, text: current.text, notes: "" };
    if (result.kind === "conflict") continue;
    tell(memory, `changed ${result.slug}`);
    const { text, topic } = result.topic;
    const problems = topic.problems.map(({ line, message: sentence }) =>
      quoteLine(`line ${line}: ${sentence}`),
    );
    const stale = staleDescription(current.topic, topic);
    return { edited, text, notes: withNotes("", [...problems, stale, result.warning]) };
  }
  if ((await memory.store.read(name)) === undefined) throw new MemoryCommandError(missing);
  throw new MemoryCommandError(
    `Error: ${quoteLine(path)} is being changed by others, so nothing was changed. View it and try again`,
  );
}

/** Takes a file out. */
export async function deleteFile(memory: MemoryHandlerContext, path: string): Promise<string> {
  const name = topicOf(path, "delete");
  const result = await memory.store.remove({ name, author: authorOf(memory) });
  if (result.kind !== "removed") {
    throw new MemoryCommandError(`Error: The path ${quoteLine(path)} does not exist`);
  }
  const { topic, change } = result;
  tell(
    memory,
    `deleted ${topic.slug}${change === undefined ? "" : ` (caliban memory undo ${change})`}`,
  );
  return `Successfully deleted ${path}`;
}

/** Gives a file another name; links to it follow. */
export async function renameFile(
  memory: MemoryHandlerContext,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string> {
  const names = { from: topicOf(from, "rename"), to: topicOf(to, "rename") };
  const taken = `Error: The destination ${quoteLine(to)} already exists`;
  if (names.from === names.to && (await memory.store.read(names.from)) !== undefined) {
    throw new MemoryCommandError(taken);
  }
  const result = await memory.store.rename({ ...names, author: authorOf(memory) });
  if (result.kind === "missing") {
    throw new MemoryCommandError(`Error: The path ${quoteLine(from)} does not exist`);
  }
  if (result.kind === "conflict") throw new MemoryCommandError(taken);
  tell(memory, `renamed ${names.from} to ${result.slug}`);
  return `Successfully renamed ${from} to ${to}`;
}

async function editedTopic(
  memory: MemoryHandlerContext,
  { slug: name, hash: ifMatch, topic, text: before }: StoredTopic,
  text: string,
): ReturnType<AnthropicMemoryStore["edit"]> {
  // Who edits a file that a person wrote without a header need not mend it first.
  const allowMalformed = topic.problems.length > 0;
  const author = authorOf(memory);
  try {
    return await memory.store.edit({ name, text, ifMatch, allowMalformed, author });
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "INVALID_TOPIC") throw error;
    const end = linesOf(before).indexOf("---", 1) + 1;
    const header =
      end === 0 ? "" : ` The header, lines 1 to ${end}, must stay whole; the text begins below it.`;
    throw new MemoryCommandError(`Error: Nothing was changed: ${toSentence(error)}${header}`);
  }
}

/** The name of the topic that a path leads to; the directory and the index are not the model's to change. */
function topicOf(path: string, command: string): string {
  const place = parseMemoryPath(path);
  if (place.kind === "topic") return place.name;
  const why =
    place.kind === "directory"
      ? `${MEMORIES_DIRECTORY} is the directory itself. Name a file in it, such as ${MEMORIES_DIRECTORY}/deploy-checklist.md`
      : `${MEMORIES_DIRECTORY}/MEMORY.md is the index, and is kept by itself: a line follows its file when that is created, edited, renamed or deleted. The words of a line are the description in the header of the file`;
  throw new MemoryCommandError(`Error: ${command} cannot change this: ${why}`);
}

function authorOf({ session }: MemoryHandlerContext): Author {
  return { who: "agent", session };
}

function tell({ notify }: MemoryHandlerContext, what: string): void {
  notify?.(`memory: ${terminalSafeLine(what)}`);
}

function withNotes(text: string, notes: readonly (string | undefined)[]): string {
  return [text, ...notes.filter((note) => note !== undefined)].join("\n");
}

/** What the store says, as a whole sentence. */
export function toSentence({ message }: MemoryError): string {
  return message.endsWith(".") ? message : `${message}.`;
}

/** What to say when a file was described by its first line, and that line is another one now. */
export function staleDescription(before: ParsedTopic, after: ParsedTopic): string | undefined {
  const isKept = before.description === after.description;
  if (!isKept || !isDescribedByFirstLine(before) || isDescribedByFirstLine(after)) return undefined;
  return `The index still says "${quoteLine(after.description)}" of this file; if that is no longer true, change the description in its header.`;
}

function isDescribedByFirstLine({ description, body }: ParsedTopic): boolean {
  const [first = ""] = body.trimStart().split("\n", 1);
  const line = first.replace(/^#+\s/, "").replaceAll(/\s+/g, " ").trim();
  // A long line is described by its beginning.
  return (
    line === description || (description.endsWith("…") && line.startsWith(description.slice(0, -1)))
  );
}
