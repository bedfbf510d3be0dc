import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import type { ToolWorkspace } from "../tool-workspace.ts";

/** Names in the memory directory, each with what changes when its file does. */
export type MemorySnapshot = ReadonlyMap<string, string>;

/** A look at the memory directory that reads no file. */
export function takeMemorySnapshot({ memoryDirectory }: ToolWorkspace): MemorySnapshot {
  if (memoryDirectory === undefined) return new Map();
  const names = namesIn(memoryDirectory).filter((name) => !ON_THE_WAY.test(name));
  return new Map(names.map((name) => [name, stateOf(join(memoryDirectory, name))]));
}

/** What is there for a moment while another process writes, or hidden. */
const ON_THE_WAY = /^\.|\.tmp$/;

/** The names that came, went or changed between two looks. */
export function changedNames(before: MemorySnapshot, after: MemorySnapshot): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).toSorted();
}

/** The way to the memory directory that a command has in it literally; a hint to the model, no barrier. */
export function findMemoryPath(workspace: ToolWorkspace, command: string): string | undefined {
  const { memoryDirectory, platform, home } = workspace;
  if (memoryDirectory === undefined) return undefined;
  const absolute = [memoryDirectory, realPathIfExists(memoryDirectory) ?? memoryDirectory];
  const short = absolute.map((path) => abbreviateHome(pathStyleOf(platform), path, home));
  const byVariable = short.flatMap((path) =>
    path.startsWith("~") ? [`$HOME${path.slice(1)}`, `\${HOME}${path.slice(1)}`] : [],
  );
  return [...absolute, ...short, ...byVariable].find((path) => standsIn(path, command));
}

/** Whether the path stands there as a whole, and is not the beginning of another name. */
function standsIn(path: string, command: string): boolean {
  for (let at = command.indexOf(path); at !== -1; at = command.indexOf(path, at + 1)) {
    if (!/[\w.-]/.test(command.charAt(at + path.length))) return true;
  }
  return false;
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

function stateOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = lstatSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return "gone";
  }
}
