import { basename, relative, sep } from "node:path";
import type { PermissionKind } from "@caliban/agent-core";
import { INDEX_FILE } from "@caliban/memory";
import {
  hiddenMemoryPermission,
  isAllMemoryReadable,
  memoryPermission,
  topicAddress,
} from "../memory-access/memory-permission.ts";
import { isInside, realPathOf } from "./real-path.ts";
import type { ToolWorkspace } from "./tool-workspace.ts";

/**
 * May a file be read, if it belongs to memory? Rules about memory apply to its files, under whatever path they are found;
 * files that do not belong to memory are allowed here.
 */
export function memoryFilePermission(workspace: ToolWorkspace, path: string): PermissionKind {
  return createMemoryFileTest(workspace)?.(path) ?? "allow";
}

/** Creates the same decision for many files; `undefined` if no rule is about memory, so that no path is resolved. */
export function createMemoryFileTest(
  workspace: ToolWorkspace,
): ((path: string) => PermissionKind) | undefined {
  const { policy } = workspace;
  if (policy === undefined || isAllMemoryReadable(policy)) return undefined;
  const { memory, learned, home } = realDirectories(workspace);
  return (path) => {
    // The files in them are decided one by one.
    if (path === memory || path === learned) return "allow";
    const topic = pathBelow(memory, path);
    if (topic !== undefined) {
      const address = topicFileAddress(topic);
      return address === undefined
        ? hiddenMemoryPermission(policy)
        : memoryPermission(address, policy);
    }
    const part = pathBelow(learned, path);
    if (part !== undefined) return memoryPermission(learnedAddress(part), policy);
    const other = pathBelow(home, path);
    return other === undefined || other.startsWith("sessions/")
      ? "allow"
      : hiddenMemoryPermission(policy);
  };
}

/** Whether a search of this directory may come across files of memory. */
export function mayHoldMemory(workspace: ToolWorkspace, directory: string): boolean {
  return Object.values(realDirectories(workspace)).some(
    (path) => path !== undefined && (isInside(path, directory) || isInside(directory, path)),
  );
}

interface MemoryDirectories {
  readonly memory: string | undefined;
  readonly learned: string | undefined;
  readonly home: string | undefined;
}

function realDirectories(workspace: ToolWorkspace): MemoryDirectories {
  const { memoryDirectory, learnedDirectory, projectHome } = workspace;
  return {
    memory: memoryDirectory && realPathOf(memoryDirectory),
    learned: learnedDirectory && realPathOf(learnedDirectory),
    home: projectHome && realPathOf(projectHome),
  };
}

/** The path of a file relative to a directory it is in, with slashes; `undefined` outside, and for the directory itself. */
function pathBelow(directory: string | undefined, path: string): string | undefined {
  const isBelow = directory !== undefined && path !== directory && isInside(directory, path);
  return isBelow ? relative(directory, path).split(sep).join("/") : undefined;
}

/** `undefined` for backups and temporary files, which may hold any topic. */
function topicFileAddress(name: string): string | undefined {
  if (name === INDEX_FILE) return "memory://index";
  const isTopic = name === basename(name) && name.endsWith(".md") && !/^\.|\.kept\.md$/.test(name);
  return isTopic ? topicAddress(name.slice(0, -".md".length)) : undefined;
}

/** The files of a generation have the addresses below `memory://root`, whichever generation it is. */
function learnedAddress(below: string): string {
  return `memory://root/${below.replace(/^generations\/\d+\//, "")}`;
}
