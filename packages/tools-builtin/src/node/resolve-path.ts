import { relative, resolve, sep } from "node:path";
import { abbreviateHome, expandTilde, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import { FileToolError } from "./file-tool-error.ts";
import { memoryFilePermission } from "./memory-files.ts";
import { isInside, realPathOf, realPathOfExisting } from "./real-path.ts";
import type { ToolState } from "./tool-state.ts";
import type { ToolWorkspace } from "./tool-workspace.ts";

/** A path of the model in three forms. */
export interface ResolvedPath {
  /** Without links. Its last parts do not have to exist yet. */
  readonly path: string;
  /** As requested, made absolute. */
  readonly requested: string;
  /** For people and models: relative to the root, or absolute outside of it. */
  readonly display: string;
}

export type Access = "read" | "write";

const MAX_CHARACTERS = 4_096;

/**
 * Resolves a path of the model.
 *
 * @throws FileToolError if it is outside of what the access permits, or not what the call was permitted for
 */
export function resolveAllowedPath(state: ToolState, text: string, access: Access): ResolvedPath {
  const { workspace } = state;
  rejectAddress(text);
  const resolved = resolvePath(workspace, text);
  rejectChangedTarget(state, text, resolved);
  if (access === "write") rejectMemory(workspace, resolved);
  if (isAllowed(state, resolved.path, access)) {
    rejectDeniedMemory(workspace, resolved);
    return resolved;
  }
  const root = terminalSafeLine(realRoot(workspace));
  throw new FileToolError(
    "OUTSIDE",
    access === "write" && isAllowed(state, resolved.path, "read")
      ? `${resolved.display} is read-only. Work inside the workspace (${root}).`
      : `${resolved.display} is outside the workspace (${root}). Work inside it; the user can add a directory with --add-dir.`,
  );
}

/** An address would otherwise become a file in the workspace. */
function rejectAddress(text: string): void {
  if (!/^memory:\//i.test(text)) return;
  throw new FileToolError(
    "BAD_PATH",
    `${terminalSafeLine(text.slice(0, 200))} is an address, not a file. Read it with Read or ReadMemoryTopic; change topics with WriteMemoryTopic or DeleteMemoryTopic.`,
  );
}

/** While a call was waiting, a link may have been put in its way. It was permitted for another file. */
function rejectChangedTarget(state: ToolState, text: string, resolved: ResolvedPath): void {
  const { approved } = state;
  if (approved === undefined || approved.text !== text) return;
  const isSame = approved.resolved?.path === resolved.path;
  if (isSame && approved.protection === approved.protectionOf?.(resolved)) return;
  throw new FileToolError(
    "CHANGED",
    `${terminalSafeLine(text)} now leads to ${resolved.display}, which is not what the call was permitted for. Nothing was done. Check it, and repeat the call if it is still right.`,
  );
}

/** Resolves a path, wherever it leads. */
export function resolvePath(workspace: ToolWorkspace, text: string): ResolvedPath {
  const { startDirectory, platform, home } = workspace;
  if (text === "") throw new FileToolError("BAD_PATH", "The path is empty. Name a file.");
  if (/\p{Cc}/u.test(text) || text.length > MAX_CHARACTERS) {
    throw new FileToolError(
      "BAD_PATH",
      `${terminalSafeLine(text.slice(0, 200))} is not a valid path: control characters and more than ${MAX_CHARACTERS} characters are not allowed. Use another name.`,
    );
  }
  const requested = resolve(startDirectory, expandTilde(pathStyleOf(platform), text, home));
  const path = realPathOfExisting(requested);
  return { path, requested, display: displayPath(workspace, path) };
}

/** Formats a path for people: relative to the root if possible. */
export function displayPath(workspace: ToolWorkspace, path: string): string {
  const root = realRoot(workspace);
  if (isInside(root, path)) return relative(root, path).split(sep).join("/") || ".";
  return abbreviateHome(pathStyleOf(workspace.platform), path, workspace.home);
}

/** The root without links. */
export function realRoot({ root }: ToolWorkspace): string {
  return realPathIfExists(root) ?? root;
}

function isInMemory(
  { memoryDirectory, userMemoryDirectory }: ToolWorkspace,
  path: string,
): boolean {
  return [memoryDirectory, userMemoryDirectory].some(
    (directory) => directory !== undefined && isInside(realPathOf(directory), path),
  );
}

function isAllowed(state: ToolState, path: string, access: Access): boolean {
  const { root, additionalDirectories, readableDirectories } = state.workspace;
  if ([root, ...additionalDirectories].some((directory) => isInside(realPathOf(directory), path))) {
    return true;
  }
  if (access === "write") return false;
  if (state.outputFiles.has(path) || isInMemory(state.workspace, path)) return true;
  return readableDirectories.some((directory) => isInside(realPathOf(directory), path));
}

function rejectDeniedMemory(workspace: ToolWorkspace, { path, display }: ResolvedPath): void {
  const kind = memoryFilePermission(workspace, path);
  if (kind === "allow") return;
  const reason =
    kind === "deny"
      ? "and a permission rule denies reading it."
      : "and a permission rule requires asking before it is read. Use ReadMemoryTopic.";
  throw new FileToolError("DENIED", `${display} belongs to memory, ${reason}`);
}

function rejectMemory(workspace: ToolWorkspace, { path, display }: ResolvedPath): void {
  if (!isInMemory(workspace, path)) return;
  throw new FileToolError(
    "MEMORY",
    `${display} is in the memory directory, which only the memory tools may change. Use WriteMemoryTopic or DeleteMemoryTopic.`,
  );
}
