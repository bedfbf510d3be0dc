import { join } from "node:path";
import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { listNames, lstatIfExists, readTextFile, realPathIfExists } from "@caliban/common/node";
import { type Change, INDEX_FILE, MAX_BODY_BYTES } from "@caliban/memory";
import type { ToolWorkspace } from "../tool-workspace.ts";

/** The names in the memory directory, each with a text that changes when the file does. */
export type MemorySnapshot = ReadonlyMap<string, string>;

/** Takes a snapshot of the memory directory without reading any file. */
export function takeMemorySnapshot({ memoryDirectory }: ToolWorkspace): MemorySnapshot {
  if (memoryDirectory === undefined) return new Map();
  const names = listNames(memoryDirectory).filter((name) => !HIDDEN_OR_TEMPORARY.test(name));
  return new Map(names.map((name) => [name, describeState(join(memoryDirectory, name))]));
}

/** Temporary files exist for a moment while another process writes. */
const HIDDEN_OR_TEMPORARY = /^\.|\.tmp$/;

/** The names that were added, removed or changed between two snapshots. */
export function changedNames(before: MemorySnapshot, after: MemorySnapshot): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).toSorted();
}

/** A change is stamped shortly before its files are written. */
const STAMPED_BEFORE_MS = 2_000;
const MAX_BYTES = 2 * MAX_BODY_BYTES;

/**
 * Whether a file of the memory directory is as the topic store wrote it, in this process or another one. Any other
 * change is a hand edit.
 */
export async function isOwnMemoryChange(
  { memoryDirectory, memoryLog }: ToolWorkspace,
  { name, sinceMs }: { readonly name: string; readonly sinceMs: number },
): Promise<boolean> {
  if (memoryDirectory === undefined || memoryLog === undefined) return false;
  const log = await memoryLog();
  if (name === INDEX_FILE) {
    // Every change rewrites the index, and the history does not contain its text.
    return log.some(
      ({ at, who }) => who !== "other" && Date.parse(at) >= sinceMs - STAMPED_BEFORE_MS,
    );
  }
  const last = log.find((change) => fileIn(change, name) !== undefined);
  const written = last && fileIn(last, name);
  // External changes are in the history too, once they were noticed.
  if (written === undefined || last?.who === "other") return false;
  const file = readTextFile(join(memoryDirectory, name), MAX_BYTES);
  return written.after === (file.kind === "text" ? file.text : null);
}

function fileIn({ files }: Change, name: string): Change["files"][number] | undefined {
  return files.find(({ slug }) => `${slug}.md` === name);
}

/** Finds the memory directory written out in a command. It is a hint for the model, not a security boundary. */
export function findMemoryPath(workspace: ToolWorkspace, command: string): string | undefined {
  const { memoryDirectory, platform, home } = workspace;
  if (memoryDirectory === undefined) return undefined;
  const absolute = [memoryDirectory, realPathIfExists(memoryDirectory) ?? memoryDirectory];
  const short = absolute.map((path) => abbreviateHome(pathStyleOf(platform), path, home));
  const byVariable = short.flatMap((path) =>
    path.startsWith("~") ? [`$HOME${path.slice(1)}`, `\${HOME}${path.slice(1)}`] : [],
  );
  return [...absolute, ...short, ...byVariable].find((path) => containsPath(command, path));
}

/** Whether the command contains the whole path, and not just a longer name that starts with it. */
function containsPath(command: string, path: string): boolean {
  for (let at = command.indexOf(path); at !== -1; at = command.indexOf(path, at + 1)) {
    if (!/[\w.-]/.test(command.charAt(at + path.length))) return true;
  }
  return false;
}

function describeState(path: string): string {
  const stats = lstatIfExists(path);
  return stats === undefined ? "missing" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}
