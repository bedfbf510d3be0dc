import type { AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
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
import { filesIn, listFiles, type MemoryFile, readFile } from "./memory-tree.ts";

/** Deletes a file, or a directory with everything in it. */
export async function deletePath(memory: MemoryHandlerContext, path: string): Promise<string> {
  const target = parseChangeable(path, "delete");
  if (target === undefined) throw new MemoryCommandError(ROOT_REFUSALS.delete);
  const { names, isDirectory } = await findTopics(memory.store, target);
  if (names.length === 0) throw missing(path);
  for (const _ of names) memory.countChange({ session: memory.session });
  let removed = 0;
  for (const { name } of names) {
    const result = await memory.store.remove({ name, author: authorOf(memory) });
    if (result.kind !== "removed") continue;
    removed++;
    if (!isDirectory) notifyUser(memory, `deleted ${result.topic.slug}`);
  }
  if (removed === 0) throw missing(path);
  if (isDirectory) notifyUser(memory, `deleted ${target}/ (${removed} topics)`);
  return `Successfully deleted ${quoteLine(path)}`;
}

/** Renames a file or a directory. Links to the topics follow. */
export async function renamePath(
  memory: MemoryHandlerContext,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string> {
  const [source, target] = [parseChangeable(from, "rename"), parseChangeable(to, "rename")];
  if (source === undefined) throw new MemoryCommandError(ROOT_REFUSALS.rename);
  const taken = new MemoryCommandError(`The destination ${quoteLine(to)} already exists`);
  if (target === undefined) throw taken;
  const found = await findTopics(memory.store, source);
  if (source === target) throw found.names.length === 0 ? missing(from) : taken;
  const files = await listFiles(memory.store);
  if (filesIn(files, target).length > 0 || (await isOtherFile(memory.store, target, found)))
    throw taken;
  if (found.names.length === 0) throw missing(from);
  if (target.startsWith(`${source}/`)) {
    throw new MemoryCommandError(
      `The destination ${quoteLine(to)} is inside ${quoteLine(from)}, so nothing was renamed`,
    );
  }
  const moves: Move[] = [];
  for (const { name, path } of found.names) {
    const moved = `${target}${path.slice(source.length)}`;
    moves.push({ from: name, to: await newName(moved, { path: to, files }) });
  }
  for (const _ of moves) memory.countChange({ session: memory.session });
  await moveAll(memory, moves, { taken, missing: missing(from) });
  notifyUser(memory, describeMoves(moves, found.isDirectory ? { source, target } : undefined));
  return `Successfully renamed ${quoteLine(from)} to ${quoteLine(to)}`;
}

/** Whether a path is a file. For a new name that differs only in case, the store finds the renamed file itself. */
async function isOtherFile(
  store: AnthropicMemoryStore,
  path: string,
  { names, isDirectory }: FoundTopics,
): Promise<boolean> {
  const present = await readFile(store, path);
  return present !== undefined && (isDirectory || present.slug !== names[0]?.name);
}

/** The names of a topic. */
interface Move {
  readonly from: string;
  readonly to: string;
}

/** Renames all topics or none. */
async function moveAll(
  memory: MemoryHandlerContext,
  moves: readonly Move[],
  errors: { readonly missing: Error; readonly taken: Error },
): Promise<void> {
  const author = authorOf(memory);
  const done: Move[] = [];
  try {
    for (const move of moves) {
      const { kind } = await memory.store.rename({ ...move, author });
      if (kind === "conflict") throw errors.taken;
      if (kind === "renamed") done.push(move);
    }
    // Another process may have deleted some of the topics meanwhile, but not all of them.
    if (done.length === 0) throw errors.missing;
  } catch (error) {
    for (const { from, to } of done.toReversed()) {
      await memory.store.rename({ from: to, to: from, author });
    }
    throw error;
  }
}

function describeMoves(
  moves: readonly Move[],
  directory: { readonly source: string; readonly target: string } | undefined,
): string {
  if (directory === undefined) {
    return moves.map(({ from, to }) => `renamed ${from} to ${to}`).join(", ");
  }
  return `renamed ${directory.source}/ to ${directory.target}/ (${moves.length} topics)`;
}

interface FoundTopics {
  readonly names: readonly Pick<MemoryFile, "name" | "path">[];
  readonly isDirectory: boolean;
}

/** The topics of a file, or of all files in a directory. */
async function findTopics(store: AnthropicMemoryStore, target: string): Promise<FoundTopics> {
  const topic = await readFile(store, target);
  if (topic !== undefined) {
    return { names: [{ name: topic.slug, path: target }], isDirectory: false };
  }
  const names = filesIn(await listFiles(store), target);
  const unreadable = names.find(({ problem }) => problem !== undefined);
  if (unreadable !== undefined) {
    throw new MemoryCommandError(
      `${MEMORIES_DIRECTORY}/${quoteLine(unreadable.path)} cannot be read: ${quoteLine(unreadable.problem ?? "")}`,
    );
  }
  return { names, isDirectory: true };
}

const ROOT_REFUSALS = {
  delete: `Cannot delete the ${MEMORIES_DIRECTORY} directory itself`,
  rename: `Cannot rename the ${MEMORIES_DIRECTORY} directory itself`,
} as const;
