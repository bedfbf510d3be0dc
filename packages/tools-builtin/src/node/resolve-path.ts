import { readlinkSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { abbreviateHome, expandTilde, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import type { ToolState } from "./tool-state.ts";
import { FileToolError } from "./file-tool-error.ts";
import type { ToolWorkspace } from "./tool-workspace.ts";

/** A place the tools may go to. */
export interface ResolvedPath {
  /** Without links; its last parts need not be there yet. */
  readonly path: string;
  /** As it was asked for, made absolute. */
  readonly requested: string;
  /** For people and models: relative to the root, or absolute outside of it. */
  readonly display: string;
}

export type Access = "read" | "write";

const MOST_CHARACTERS = 4_096;

/**
 * Finds the real place that a path of the model means.
 *
 * @throws FileToolError when it is outside of what the access is allowed for, or not what the call was decided about
 */
export function resolveAllowedPath(session: ToolState, text: string, access: Access): ResolvedPath {
  const { workspace } = session;
  const located = resolvePath(workspace, text);
  refuseOther(session, text, located);
  if (access === "write") refuseMemory(workspace, located);
  if (isAllowed(session, located.path, access)) return located;
  const where = terminalSafeLine(realRoot(workspace));
  throw new FileToolError(
    "OUTSIDE",
    access === "write" && isAllowed(session, located.path, "read")
      ? `${located.display} can be read and not be changed. Work inside the workspace (${where}).`
      : `${located.display} is outside of the workspace (${where}). Work inside it; the person can add a directory with --add-dir.`,
  );
}

/** While a call waited for its turn, a link may have come into its way: what was allowed was another file. */
function refuseOther(session: ToolState, text: string, located: ResolvedPath): void {
  const { approved: decided } = session;
  if (decided === undefined || decided.text !== text) return;
  const isSame = decided.resolved?.path === located.path;
  if (isSame && decided.protection === decided.protectionOf?.(located)) return;
  throw new FileToolError(
    "CHANGED",
    `${terminalSafeLine(text)} means something else by now than when the call was allowed (${located.display}), and nothing was done. Look again, and call it again if it is still right.`,
  );
}

/** The real place of a path, wherever that is. */
export function resolvePath(workspace: ToolWorkspace, text: string): ResolvedPath {
  const { startDirectory, platform, home } = workspace;
  if (text === "") throw new FileToolError("BAD_PATH", "The path is empty. Name a file");
  if (/\p{Cc}/u.test(text) || text.length > MOST_CHARACTERS) {
    throw new FileToolError(
      "BAD_PATH",
      `${terminalSafeLine(text.slice(0, 200))} is no path: names with control characters or more than ${MOST_CHARACTERS} characters are refused. Use another name.`,
    );
  }
  const asked = resolve(startDirectory, expandTilde(pathStyleOf(platform), text, home));
  const path = realPlace(asked);
  return { path, requested: asked, display: displayPath(workspace, path) };
}

/** A path as people read it: relative to the root where it can be. */
export function displayPath(workspace: ToolWorkspace, path: string): string {
  const root = realRoot(workspace);
  if (isInside(root, path)) return relative(root, path).split(sep).join("/") || ".";
  return abbreviateHome(pathStyleOf(workspace.platform), path, workspace.home);
}

/** The root without links. */
export function realRoot({ root }: ToolWorkspace): string {
  return realPathIfExists(root) ?? root;
}

/** Whether a path is a directory or below it; both are real. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether a real path lies in the memory directory. */
function isMemory({ memoryDirectory }: ToolWorkspace, path: string): boolean {
  return memoryDirectory !== undefined && isInside(realPathOf(memoryDirectory), path);
}

function isAllowed(session: ToolState, path: string, access: Access): boolean {
  const { root, additionalDirectories, readableDirectories } = session.workspace;
  if ([root, ...additionalDirectories].some((directory) => isInside(realPathOf(directory), path))) {
    return true;
  }
  if (access === "write") return false;
  if (session.outputFiles.has(path) || isMemory(session.workspace, path)) return true;
  return readableDirectories.some((directory) => isInside(realPathOf(directory), path));
}

function refuseMemory(workspace: ToolWorkspace, { path, display: shown }: ResolvedPath): void {
  if (!isMemory(workspace, path)) return;
  throw new FileToolError(
    "MEMORY",
    `${shown} is in the memory directory, which the memory tools keep. Use WriteMemoryTopic, or DeleteMemoryTopic.`,
  );
}

/** Directories of settings may not be there yet; in one that is a link to nowhere, nothing is. */
export function realPathOf(directory: string): string {
  try {
    return realPlace(directory);
  } catch (error) {
    if (error instanceof FileToolError) return directory;
    throw error;
  }
}

/** The real path of what is there, with the names behind it that are not there yet. */
function realPlace(path: string): string {
  const missing: string[] = [];
  for (let current = path; ; current = dirname(current)) {
    const real = realPathIfExists(current);
    if (real !== undefined) return join(real, ...missing);
    refuseDanglingLink(current);
    if (dirname(current) === current) return path;
    missing.unshift(basename(current));
  }
}

/** What is written through it would come to lie where nobody looked. */
function refuseDanglingLink(path: string): void {
  const target = linkTarget(path);
  if (target === undefined) return;
  throw new FileToolError(
    "BAD_PATH",
    `${terminalSafeLine(path)} is a link to ${terminalSafeLine(target)}, which leads nowhere. Use the real path of a file.`,
  );
}

/** Nothing for what is no link, or not there. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
