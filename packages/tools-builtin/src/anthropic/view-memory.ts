import { utf8Bytes } from "@caliban/common";
import { isMemoryError } from "@caliban/memory";
import type { AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
import type { LineRange } from "./command-input.ts";
import { numberedFile } from "./file-lines.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";
import { MEMORIES_DIRECTORY, parseMemoryPath } from "./memory-path.ts";
import { filesIn, listFiles, type MemoryFile, readFile } from "./memory-tree.ts";
import { splitTopic } from "./topic-text.ts";

/** Shows files and directories, and remembers the sizes of the files. */
export type ViewMemory = (request: {
  readonly path: string;
  readonly range: LineRange | undefined;
}) => Promise<string>;

export function createView(store: AnthropicMemoryStore): ViewMemory {
  const sizeOf = createSizes(store);
  return async ({ path, range }) => {
    const target = parseMemoryPath(path);
    if (target.kind === "index") return numberedFile(path, await store.index(), range);
    const topic = target.kind === "root" ? undefined : await readFile(store, target.path);
    if (topic !== undefined) return numberedFile(path, splitTopic(topic).text, range);
    const all = await listFiles(store);
    if (target.kind === "root") return await renderRoot(store, all, sizeOf);
    const files = filesIn(all, target.path);
    if (files.length > 0) return (await renderList(target.path, files, sizeOf)).join("\n");
    throw new MemoryCommandError(
      `The path ${quoteLine(path)} does not exist. Please provide a valid path.`,
    );
  };
}

async function renderRoot(
  store: AnthropicMemoryStore,
  files: readonly MemoryFile[],
  sizeOf: SizeOf,
): Promise<string> {
  const size = formatSize(utf8Bytes(await store.index()));
  const lines = await renderList("", files, sizeOf);
  return lines.toSpliced(2, 0, `${size}\t${MEMORIES_DIRECTORY}/MEMORY.md`).join("\n");
}

type SizeOf = (file: MemoryFile) => Promise<number>;

/** The size that the model sees. A file is read again only if it changed. */
function createSizes(store: AnthropicMemoryStore): SizeOf {
  const known = new Map<string, { readonly version: string; readonly bytes: number }>();
  return async ({ name, bytes, updatedMs }) => {
    const version = `${bytes} ${updatedMs}`;
    const before = known.get(name);
    if (before?.version === version) return before.bytes;
    const text = await readText(store, name);
    // Viewing the file says why it cannot be read.
    const size = text === undefined ? bytes : utf8Bytes(text);
    known.set(name, { version, bytes: size });
    return size;
  };
}

async function readText(store: AnthropicMemoryStore, name: string): Promise<string | undefined> {
  try {
    const topic = await store.read(name);
    return topic === undefined ? undefined : splitTopic(topic).text;
  } catch (error) {
    if (isMemoryError(error) && error.code === "REFUSED_FILE") return undefined;
    throw error;
  }
}

const MAX_DEPTH = 2;
/** A longer list costs more than viewing the index. */
const MAX_FILES = 500;
/** As on most file systems. */
const DIRECTORY_SIZE = "4K";

/** The lines of a list: a title, the directory itself, then what is in it. */
async function renderList(
  directory: string,
  all: readonly MemoryFile[],
  sizeOf: SizeOf,
): Promise<readonly string[]> {
  const parent = directory === "" ? "" : `${directory}/`;
  const files = all.filter(({ problem }) => problem === undefined);
  const entries = entriesOf(files, { parent, depth: 1 });
  const listed = new Set(entries.map(({ file }) => file));
  const newest = new Set(files.filter((file) => listed.has(file)).slice(0, MAX_FILES));
  const omitted = entries.filter(({ file }) => file !== undefined && !newest.has(file)).length;
  const lines = await Promise.all(
    entries
      .filter(({ file }) => file === undefined || newest.has(file))
      .map(async ({ path, file }) =>
        file === undefined
          ? `${DIRECTORY_SIZE}\t${shownPath(path)}/`
          : `${formatSize(await sizeOf(file))}\t${shownPath(path)}`,
      ),
  );
  return [
    `Here're the files and directories up to ${MAX_DEPTH} levels deep in ${shownPath(directory)}, excluding hidden items and node_modules:`,
    `${DIRECTORY_SIZE}\t${shownPath(directory)}`,
    ...lines,
    ...(omitted > 0
      ? [`${omitted} older files are not listed; see ${MEMORIES_DIRECTORY}/MEMORY.md`]
      : []),
    ...all.flatMap(({ path, problem }) =>
      problem === undefined ? [] : [`${shownPath(path)} cannot be read: ${quoteLine(problem)}`],
    ),
  ];
}

function shownPath(path: string): string {
  return quoteLine(path === "" ? MEMORIES_DIRECTORY : `${MEMORIES_DIRECTORY}/${path}`);
}

/** A line of a list; a directory has no file. */
interface Entry {
  readonly path: string;
  readonly file?: MemoryFile | undefined;
}

/** The files and directories to list, in the order of their names, each directory before its files. */
function entriesOf(
  files: readonly MemoryFile[],
  { parent, depth }: { readonly parent: string; readonly depth: number },
): readonly Entry[] {
  const byName = Map.groupBy(files, ({ path }) => path.slice(parent.length).split("/", 1)[0] ?? "");
  const entries: Entry[] = [];
  for (const name of [...byName.keys()].toSorted(compareNames)) {
    if (name.startsWith(".") || name === "node_modules") continue;
    const path = `${parent}${name}`;
    const own = byName.get(name) ?? [];
    const below = filesIn(own, path);
    for (const file of own) if (file.path === path) entries.push({ path, file });
    if (below.length > 0) entries.push({ path });
    if (depth < MAX_DEPTH)
      entries.push(...entriesOf(below, { parent: `${path}/`, depth: depth + 1 }));
  }
  return entries;
}

function compareNames(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

const UNITS = ["B", "K", "M", "G"] as const;

/** Formats a size for people: 312B, 4K, 1.2M. */
export function formatSize(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1024 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[unit]}`;
}
