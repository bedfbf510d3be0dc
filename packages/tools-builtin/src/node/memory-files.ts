import { basename, dirname, relative, sep } from "node:path";
import type { PermissionKind } from "@caliban/agent-core";
import { INDEX_FILE } from "@caliban/memory";
import {
  type AddressScope,
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
  const { memory, user, userHome, learned, home } = realDirectories(workspace);
  const topicPermission = (name: string, scope: AddressScope): PermissionKind => {
    const address = topicFileAddress(name, scope);
    return address === undefined
      ? hiddenMemoryPermission(policy)
      : memoryPermission(address, policy);
  };
  return (path) => {
    // The files in them are decided one by one.
    if (path === memory || path === learned || path === user) return "allow";
    const topic = pathBelow(memory, path);
    if (topic !== undefined) return topicPermission(topic, "project");
    const userTopic = pathBelow(user, path);
    if (userTopic !== undefined) return topicPermission(userTopic, "user");
    if (pathBelow(userHome, path) !== undefined) return hiddenMemoryPermission(policy);
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
  readonly user: string | undefined;
  /** The directory with the topics about the user and their history. */
  readonly userHome: string | undefined;
  readonly learned: string | undefined;
  readonly home: string | undefined;
}

function realDirectories(workspace: ToolWorkspace): MemoryDirectories {
  const { memoryDirectory, userMemoryDirectory, learnedDirectory, projectHome } = workspace;
  return {
    memory: memoryDirectory && realPathOf(memoryDirectory),
    user: userMemoryDirectory && realPathOf(userMemoryDirectory),
    userHome: userMemoryDirectory && realPathOf(dirname(userMemoryDirectory)),
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
function topicFileAddress(name: string, scope: AddressScope): string | undefined {
  if (name === INDEX_FILE) return scope === "user" ? "memory://user/index" : "memory://index";
  const isTopic = name === basename(name) && name.endsWith(".md") && !/^\.|\.kept\.md$/.test(name);
  return isTopic ? topicAddress(name.slice(0, -".md".length), scope) : undefined;
}

/** The files of a generation have the addresses below `memory://root`, whichever generation it is. */
function learnedAddress(below: string): string {
  return `memory://root/${below.replace(/^generations\/\d+\//, "")}`;
}
