import { isMemoryError, type StoredTopic } from "@caliban/memory";
import type { AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
import type { TextEdit } from "./edit-text.ts";
import {
  authorOf,
  type MemoryHandlerContext,
  missing,
  newName,
  notifyUser,
  parseChangeable,
} from "./handler-context.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";
import { MEMORIES_DIRECTORY } from "./memory-path.ts";
import { filesIn, listFiles, readFile } from "./memory-tree.ts";
import { pathOf } from "./topic-name.ts";
import { renderEdited, renderFile, splitTopic } from "./topic-text.ts";
import { withVisibleLines } from "./visible-lines.ts";

/** Creates a file and the directories it is in. Fails if it exists. */
export async function createFile(
  memory: MemoryHandlerContext,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<string> {
  const exists = `File ${quoteLine(path)} already exists`;
  const target = parseChangeable(path, "create");
  if (target === undefined) throw new MemoryCommandError(exists);
  const files = await listFiles(memory.store);
  const isFile = files.some((file) => file.path === target && file.problem === undefined);
  const isTaken = isFile || filesIn(files, target).length > 0;
  if (isTaken) throw new MemoryCommandError(exists);
  const name = await newName(target, { path, files });
  memory.countChange({ session: memory.session, text });
  const file = renderFile({ ...headerValues(memory), name, text });
  const result = await editTopic(memory, { name, file, text });
  if (result.kind !== "edited") {
    const other = result.kind === "conflict" ? pathOf(result.current.slug) : target;
    const as = other === target ? "" : ` as ${MEMORIES_DIRECTORY}/${quoteLine(other)}`;
    throw new MemoryCommandError(`${exists}${as}`);
  }
  const { slug, topic, warning } = result;
  notifyUser(memory, `saved ${slug} (${topic.topic.type}: ${topic.topic.description})`);
  return withWarning(`File created successfully at: ${quoteLine(path)}`, warning);
}

/** A change of an existing file. */
export interface FileChange {
  readonly path: string;
  readonly command: string;
  readonly change: (text: string) => TextEdit;
}

/** Another writer may win now and then, but not always. */
const MAX_ATTEMPTS = 100;

/** Changes a file while others may change it too: the change is applied to the current text. */
export async function changeFile(
  memory: MemoryHandlerContext,
  { path, command, change }: FileChange,
): Promise<TextEdit & { readonly warning: string | undefined }> {
  const target = parseChangeable(path, command);
  if (target === undefined) throw notAFile(path);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await readFile(memory.store, target);
    if (current === undefined) break;
    const edit = change(splitTopic(current).text);
    // Trying again because of another process does not count as another change.
    if (attempt === 0) memory.countChange({ session: memory.session, text: edit.text });
    const file = renderEdited(current, edit.text, headerValues(memory));
    const result = await editTopic(memory, { name: current.slug, file, text: edit.text, current });
    if (result.kind === "missing") break;
    if (result.kind === "unchanged") return { ...edit, warning: undefined };
    if (result.kind === "conflict") continue;
    notifyUser(memory, `changed ${result.slug}`);
    return { ...edit, warning: result.warning };
  }
  if ((await readFile(memory.store, target)) === undefined) {
    const isDirectory = filesIn(await listFiles(memory.store), target).length > 0;
    throw isDirectory ? notAFile(path) : missing(path, " Please provide a valid path.");
  }
  throw new MemoryCommandError(
    `${quoteLine(path)} is being changed by another process, so nothing was changed. View it and try again`,
  );
}

async function editTopic(
  memory: MemoryHandlerContext,
  {
    name,
    file,
    text,
    current,
  }: {
    readonly name: string;
    readonly file: string;
    readonly text: string;
    readonly current?: StoredTopic;
  },
): ReturnType<AnthropicMemoryStore["edit"]> {
  // A file may be empty, and one that the user wrote without a header can be edited.
  const allowMalformed = text.trim() === "" || (current?.topic.problems.length ?? 0) > 0;
  const [author, ifMatch] = [authorOf(memory), current?.hash];
  try {
    return await memory.store.edit({ name, text: file, ifMatch, allowMalformed, author });
  } catch (error) {
    if (!isMemoryError(error) || error.code !== "SECRET_FOUND") throw error;
    const hidden = file.slice(0, file.length - text.length).split("\n").length - 1;
    throw new MemoryCommandError(withVisibleLines(error.message, hidden), { cause: error });
  }
}

function notAFile(path: string): MemoryCommandError {
  return new MemoryCommandError(`The path ${quoteLine(path)} is not a file.`);
}

function headerValues({ session, now }: MemoryHandlerContext): {
  readonly session: string | undefined;
  readonly updated: string;
} {
  return { session, updated: new Date(now()).toISOString() };
}

/** Adds what the store says about the index. */
export function withWarning(text: string, warning: string | undefined): string {
  return warning === undefined ? text : `${text}\n${warning}`;
}
