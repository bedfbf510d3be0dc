import { utf8Bytes } from "@caliban/common";
import type { AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
import type { LineRange } from "./command-input.ts";
import { numberedFile } from "./file-lines.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";
import { MEMORIES_DIRECTORY, parseMemoryPath } from "./memory-path.ts";

/** A file with its lines numbered, or the list of all files. */
export async function viewMemory(
  store: AnthropicMemoryStore,
  { path, range }: { readonly path: string; readonly range: LineRange | undefined },
): Promise<string> {
  const place = parseMemoryPath(path);
  if (place.kind === "directory") return await listing(store);
  if (place.kind === "index") return numberedFile(path, await store.index(), range);
  const topic = await store.read(place.name);
  if (topic !== undefined) return numberedFile(quoteLine(path), topic.text, range);
  throw new MemoryCommandError(
    `The path ${quoteLine(path)} does not exist. Please provide a valid path.`,
  );
}

/** A list that is longer costs more than a look at the index. */
const MOST_FILES = 500;

async function listing(store: AnthropicMemoryStore): Promise<string> {
  const [{ topics, problems }, index] = await Promise.all([store.list(), store.index()]);
  const indexBytes = utf8Bytes(index);
  const bytes = topics.reduce((sum, topic) => sum + topic.bytes, indexBytes);
  const left = topics.length - MOST_FILES;
  const lines = [
    `Here're the files and directories up to 2 levels deep in ${MEMORIES_DIRECTORY}, excluding hidden items and node_modules:`,
    `${fileSize(bytes)}\t${MEMORIES_DIRECTORY}`,
    `${fileSize(indexBytes)}\t${MEMORIES_DIRECTORY}/MEMORY.md`,
    ...topics
      .slice(0, MOST_FILES)
      .map(
        (topic) => `${fileSize(topic.bytes)}\t${MEMORIES_DIRECTORY}/${quoteLine(topic.slug)}.md`,
      ),
    ...(left > 0
      ? [`${left} older files are not listed; ${MEMORIES_DIRECTORY}/MEMORY.md names them`]
      : []),
    ...problems.map(
      ({ slug, message: sentence }) =>
        `${MEMORIES_DIRECTORY}/${quoteLine(slug)}.md cannot be read: ${quoteLine(sentence)}`,
    ),
  ];
  return lines.join("\n");
}

const UNITS = ["K", "M", "G"] as const;

/** As people read sizes: 312B, 4.0K, 1.2M. */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  let [size, unit] = [bytes / 1024, 0];
  // What would be rounded up to a thousand of one unit is one of the next.
  while (size >= 1023.95 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${size.toFixed(1)}${UNITS[unit]}`;
}
