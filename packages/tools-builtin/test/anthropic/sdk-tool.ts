import { readdir, readFile, rmdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { betaMemoryTool, type MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import type { TopicStore } from "@caliban/memory";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { pathOf } from "../../src/anthropic/topic-name.ts";
import { splitTopic } from "../../src/anthropic/topic-text.ts";

/** A call of the memory tool, as a model makes it. */
export type MemoryCall = Readonly<Record<string, unknown>> & { readonly command: string };

/** The result of a call, as the runner of the SDK sends it. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a handler in the way the SDK does. */
export async function callTool(handlers: unknown, call: MemoryCall): Promise<Answer> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the calls of models have any type
  const { run } = betaMemoryTool(handlers as MemoryToolHandlers);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    const result = await run(call as never);
    return { text: typeof result === "string" ? result : JSON.stringify(result), isError: false };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}

/** The tool that the SDK has for a directory of files. */
export async function openSdkTool(): Promise<{
  readonly tool: BetaLocalFilesystemMemoryTool;
  readonly root: string;
}> {
  const base = await temporaryDirectory();
  return { tool: await BetaLocalFilesystemMemoryTool.init(base), root: join(base, "memories") };
}

/** The files of a directory with their texts, by their paths. */
export async function filesOnDisk(root: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [relative(root, path), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries((await Promise.all(texts)).toSorted(byPath));
}

/** The files that a model sees in a store. */
export async function filesInStore(store: TopicStore): Promise<Readonly<Record<string, string>>> {
  const { topics } = await store.list();
  const texts = topics.map(async ({ slug }) => {
    const topic = await store.read(slug);
    return [pathOf(slug), topic === undefined ? "" : splitTopic(topic).text] as const;
  });
  return Object.fromEntries((await Promise.all(texts)).toSorted(byPath));
}

/** Removes empty directories, which a store does not have. */
export async function removeEmptyDirectories(root: string): Promise<void> {
  const entries = await readdir(root, { withFileTypes: true });
  for (const entry of entries.filter((one) => one.isDirectory())) {
    const path = join(root, entry.name);
    await removeEmptyDirectories(path);
    if ((await readdir(path)).length === 0) await rmdir(path);
  }
}

/** A list without the index, which only a store has, and without the sizes of directories, which depend on the disk. */
export function comparable({ text, isError }: Answer): Answer {
  const [title = "", root = "", ...lines] = text.split("\n");
  if (isError || !title.startsWith("Here're the files")) return { text, isError };
  const listed = [root, ...lines]
    .filter((line) => !line.endsWith("\t/memories/MEMORY.md"))
    .map((line, at) => (at === 0 || line.endsWith("/") ? line.replace(/^\S+\t/, "4K\t") : line));
  return { text: [title, ...listed].join("\n"), isError };
}

function byPath([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}
