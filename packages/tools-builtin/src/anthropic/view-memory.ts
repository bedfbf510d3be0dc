import { utf8Bytes } from "@caliban/common";
import type { AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
import type { LineRange } from "./command-input.ts";
import { numberedFile } from "./file-lines.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";
import { MEMORIES_DIRECTORY, parseMemoryPath } from "./memory-path.ts";

/** Shows a file with line numbers, or the list of all files. */
export async function viewMemory(
  store: AnthropicMemoryStore,
  { path, range }: { readonly path: string; readonly range: LineRange | undefined },
): Promise<string> {
  const target = parseMemoryPath(path);
  if (target.kind === "directory") return await listFiles(store);
  if (target.kind === "index") return numberedFile(path, await store.index(), range);
  const topic = await store.read(target.name);
  if (topic !== undefined) return numberedFile(quoteLine(path), topic.text, range);
  throw new MemoryCommandError(
    `The path ${quoteLine(path)} does not exist. Please provide a valid path.`,
  );
}

/** A longer list costs more than viewing the index. */
const MAX_FILES = 500;

async function listFiles(store: AnthropicMemoryStore): Promise<string> {
  const [{ topics, problems }, index] = await Promise.all([store.list(), store.index()]);
  const indexBytes = utf8Bytes(index);
  const bytes = topics.reduce((sum, topic) => sum + topic.bytes, indexBytes);
  const omitted = topics.length - MAX_FILES;
  const lines = [
    `Here're the files and directories up to 2 levels deep in ${MEMORIES_DIRECTORY}, excluding hidden items and node_modules:`,
    `${formatSize(bytes)}\t${MEMORIES_DIRECTORY}`,
    `${formatSize(indexBytes)}\t${MEMORIES_DIRECTORY}/MEMORY.md`,
    ...topics
      .slice(0, MAX_FILES)
      .map(
        (topic) => `${formatSize(topic.bytes)}\t${MEMORIES_DIRECTORY}/${quoteLine(topic.slug)}.md`,
      ),
    ...(omitted > 0
      ? [`${omitted} older files are not listed; see ${MEMORIES_DIRECTORY}/MEMORY.md`]
      : []),
    ...problems.map(
      ({ slug, message }) =>
        `${MEMORIES_DIRECTORY}/${quoteLine(slug)}.md cannot be read: ${quoteLine(message)}`,
    ),
  ];
  return lines.join("\n");
}

const UNITS = ["K", "M", "G"] as const;

/** Formats a size for people: 312B, 4.0K, 1.2M. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  let [size, unit] = [bytes / 1024, 0];
  // A size that would round up to 1024 of one unit is 1 of the next.
  while (size >= 1023.95 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${size.toFixed(1)}${UNITS[unit]}`;
}
