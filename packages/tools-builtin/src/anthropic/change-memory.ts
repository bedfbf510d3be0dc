import {
  command as reference,
  type CommandMessage,
  terminalSafeLine,
  withCommands,
} from "@caliban/common";
import {
  type Author,
  isMemoryError,
  type MemoryError,
  type StoredTopic,
  type ParsedTopic,
} from "@caliban/memory";
import type { AnthropicMemoryOptions, AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
import type { CountChange } from "../memory/write-limit.ts";
import type { TextEdit } from "./edit-text.ts";
import { linesOf } from "./file-lines.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";
import { MEMORIES_DIRECTORY, parseMemoryPath } from "./memory-path.ts";

/** The store and the options that the commands work with. */
export interface MemoryHandlerContext extends AnthropicMemoryOptions {
  readonly store: AnthropicMemoryStore;
  /** Called before every change. */
  readonly countChange: CountChange;
}

/** Creates a file. Fails if it exists. */
export async function createFile(
  memory: MemoryHandlerContext,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<string> {
  const name = topicOf(path, "create");
  memory.countChange({ session: memory.session, text });
  const request = { name, text, fallbackType: "project", author: authorOf(memory) } as const;
  const result = await memory.store.edit(request);
  if (result.kind !== "edited") {
    const isOtherName = result.kind === "conflict" && result.current.slug !== name;
    const as = isOtherName ? ` as ${MEMORIES_DIRECTORY}/${quoteLine(result.current.slug)}.md` : "";
    throw new MemoryCommandError(`Error: File ${quoteLine(path)} already exists${as}`);
  }
  const { slug, topic, warning } = result;
  notifyUser(memory, `saved ${slug} (${topic.topic.type}: ${topic.topic.description})`);
  return withNotes(`File created successfully at: ${path}`, [warning]);
}

/** A change of an existing file, and the error for a missing one. */
export interface FileChange {
  readonly path: string;
  readonly command: string;
  readonly missing: string;
  readonly change: (text: string) => TextEdit;
}

/** Another writer may win now and then, but not always. */
const MAX_ATTEMPTS = 100;

/** Changes a file while others may change it too: the change is applied to the current text. */
export async function changeFile(
  memory: MemoryHandlerContext,
  { path, command, missing, change }: FileChange,
): Promise<{ readonly edited: TextEdit; readonly text: string; readonly notes: string }> {
  const name = topicOf(path, command);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await memory.store.read(name);
    if (current === undefined) break;
    const edited = change(current.text);
    // Trying again because of another process does not count as another change.
    if (attempt === 0) memory.countChange({ session: memory.session, text: edited.text });
    const result = await editTopic(memory, current, edited.text);
    if (result.kind === "missing") break;
    if (result.kind === "unchanged") return { edited, text: current.text, notes: "" };
    if (result.kind === "conflict") continue;
    notifyUser(memory, `changed ${result.slug}`);
    const { text, topic } = result.topic;
    const problems = topic.problems.map(({ line, message }) =>
      quoteLine(`line ${line}: ${message}`),
    );
    const stale = describeStaleDescription(current.topic, topic);
    return { edited, text, notes: withNotes("", [...problems, stale, result.warning]) };
  }
  if ((await memory.store.read(name)) === undefined) throw new MemoryCommandError(missing);
  throw new MemoryCommandError(
    `Error: ${quoteLine(path)} is being changed by another process, so nothing was changed. View it and try again`,
  );
}

/** Deletes a file. */
export async function deleteFile(memory: MemoryHandlerContext, path: string): Promise<string> {
  const name = topicOf(path, "delete");
  memory.countChange({ session: memory.session });
  const result = await memory.store.remove({ name, author: authorOf(memory) });
  if (result.kind !== "removed") {
    throw new MemoryCommandError(`Error: The path ${quoteLine(path)} does not exist`);
  }
  const { topic, change } = result;
  notifyUser(
    memory,
    change === undefined
      ? `deleted ${topic.slug}`
      : withCommands`deleted ${topic.slug} (${reference(`memory undo ${change}`)})`,
  );
  return `Successfully deleted ${path}`;
}

/** Renames a file and updates the links to it. */
export async function renameFile(
  memory: MemoryHandlerContext,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string> {
  const names = { from: topicOf(from, "rename"), to: topicOf(to, "rename") };
  const taken = `Error: The destination ${quoteLine(to)} already exists`;
  if (names.from === names.to && (await memory.store.read(names.from)) !== undefined) {
    throw new MemoryCommandError(taken);
  }
  memory.countChange({ session: memory.session });
  const result = await memory.store.rename({ ...names, author: authorOf(memory) });
  if (result.kind === "missing") {
    throw new MemoryCommandError(`Error: The path ${quoteLine(from)} does not exist`);
  }
  if (result.kind === "conflict") throw new MemoryCommandError(taken);
  notifyUser(memory, `renamed ${names.from} to ${result.slug}`);
  return `Successfully renamed ${from} to ${to}`;
}

async function editTopic(
  memory: MemoryHandlerContext,
  { slug: name, hash: ifMatch, topic, text: before }: StoredTopic,
  text: string,
): ReturnType<AnthropicMemoryStore["edit"]> {
  // A file that the user wrote without a header can be edited without fixing the header first.
  const allowMalformed = topic.problems.length > 0;
  const author = authorOf(memory);
  try {
    return await memory.store.edit({ name, text, ifMatch, allowMalformed, author });
  } catch (error) {
    if (!isMemoryError(error) || error.code !== "INVALID_TOPIC") throw error;
    const end = linesOf(before).indexOf("---", 1) + 1;
    const header =
      end === 0 ? "" : ` Keep the header in lines 1 to ${end} intact; the text starts below it.`;
    throw new MemoryCommandError(`Error: Nothing was changed: ${withPeriod(error)}${header}`);
  }
}

/** The topic name of a path. The model cannot change the directory or the index. */
function topicOf(path: string, command: string): string {
  const target = parseMemoryPath(path);
  if (target.kind === "topic") return target.name;
  const why =
    target.kind === "directory"
      ? `${MEMORIES_DIRECTORY} is the directory itself. Name a file in it, such as ${MEMORIES_DIRECTORY}/deploy-checklist.md`
      : `${MEMORIES_DIRECTORY}/MEMORY.md is the index, which is updated automatically when a file is created, edited, renamed or deleted. To change a line, edit the description in the header of its file`;
  throw new MemoryCommandError(`Error: ${command} cannot change this: ${why}`);
}

function authorOf({ session }: MemoryHandlerContext): Author {
  return { who: "agent", session };
}

function notifyUser({ notify }: MemoryHandlerContext, change: string | CommandMessage): void {
  const safe = typeof change === "string" ? terminalSafeLine(change) : change;
  notify?.({ kind: "memory", ...withCommands`memory: ${safe}` });
}

function withNotes(text: string, notes: readonly (string | undefined)[]): string {
  return [text, ...notes.filter((note) => note !== undefined)].join("\n");
}

/** The message of the store with a final period. */
export function withPeriod({ message }: MemoryError): string {
  return message.endsWith(".") ? message : `${message}.`;
}

/** Warns if the description was the first line of the file and that line has changed. */
function describeStaleDescription(before: ParsedTopic, after: ParsedTopic): string | undefined {
  const isKept = before.description === after.description;
  if (!isKept || !isDescribedByFirstLine(before) || isDescribedByFirstLine(after)) return undefined;
  return `The index still describes this file as "${quoteLine(after.description)}". If that is no longer true, change the description in its header.`;
}

function isDescribedByFirstLine({ description, body }: ParsedTopic): boolean {
  const [first = ""] = body.trimStart().split("\n", 1);
  const line = first.replace(/^#+\s/, "").replaceAll(/\s+/g, " ").trim();
  // A long line is described by its start.
  return (
    line === description || (description.endsWith("…") && line.startsWith(description.slice(0, -1)))
  );
}
