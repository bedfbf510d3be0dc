import { basename, dirname, join } from "node:path";
import {
  type CommandPart,
  type CommandReads,
  parseCommand,
  type PartReads,
} from "@caliban/agent-core";
import { isSecretPath, pathStyleOf } from "@caliban/common";
import { lstatIfExists, realPathIfExists } from "@caliban/common/node";
import { hiddenPathsOf } from "../../sandbox/hidden-paths.ts";
import { isFileToolError } from "../file-tool-error.ts";
import { createMemoryFileTest, mayHoldMemory, memoryFilePermission } from "../memory-files.ts";
import { runsPrograms } from "../protection/git-config.ts";
import { readSmallFile } from "../protection/small-file.ts";
import { isInside, realPathOf } from "../real-path.ts";
import { realRoot, type ResolvedPath, resolvePath } from "../resolve-path.ts";
import { gitAccess } from "../sandbox/git-access.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";
import { isTreeReadable } from "./readable-tree.ts";

/**
 * Splits a command line, and finds out which of its commands only read files of the workspace, wherever links lead.
 * Secrets, memory that rules are about, and repositories whose config names programs do not count as readable.
 */
export function resolveParts(
  workspace: ToolWorkspace,
  command: string,
): readonly CommandPart[] | undefined {
  // The words of another shell may mean something else.
  if (workspace.platform === "win32") return undefined;
  return parseCommand(command)?.map(({ text, prefix, reads }) => ({
    text,
    prefix,
    reads: reads && resolveReads(workspace, text, reads),
  }));
}

function resolveReads(
  workspace: ToolWorkspace,
  command: string,
  { paths, trees, shows }: CommandReads,
): PartReads | undefined {
  const showsText = shows !== "facts";
  if (command.startsWith("git ") && !isPlainRepository(workspace)) return undefined;
  if (shows === "any text" && hasMemoryWithRules(workspace)) return undefined;
  const canRead = (path: string): boolean => isReadable(workspace, path, showsText);
  if (!paths.every(canRead) || !trees.every(({ path }) => canRead(path))) return undefined;
  const walk = { canRead, isSecret: (name: string) => showsText && isSecret(workspace, name) };
  if (!trees.every((tree) => isTreeReadable(workspace.startDirectory, tree, walk))) {
    return undefined;
  }
  const files = [...paths, ...trees.map(({ path }) => path)].flatMap((path) => {
    const resolved = resolveExisting(workspace, path);
    return typeof resolved === "object" ? [resolved.display] : [];
  });
  return { files: [...new Set(files)], shows };
}

/** A path that does not exist shows nothing, but the name of a secret may lead to an earlier version of it. */
function isReadable(workspace: ToolWorkspace, path: string, showsText: boolean): boolean {
  if (showsText && isSecret(workspace, path)) return false;
  const resolved = resolveExisting(workspace, path);
  if (resolved === undefined) return true;
  if (resolved === "invalid") return false;
  const { root, additionalDirectories, home, env } = workspace;
  const isIn = (directory: string): boolean => isInside(realPathOf(directory), resolved.path);
  return (
    [root, ...additionalDirectories].some(isIn) &&
    !hiddenPathsOf(home, env).some((hidden) => isInside(hidden, resolved.path)) &&
    !(showsText && isSecret(workspace, resolved.display)) &&
    memoryFilePermission(workspace, resolved.path) === "allow"
  );
}

function isSecret({ platform }: ToolWorkspace, path: string): boolean {
  return isSecretPath(pathStyleOf(platform), path);
}

/** Returns `undefined` for a path that does not exist, and "invalid" for one that cannot be checked. */
function resolveExisting(
  workspace: ToolWorkspace,
  text: string,
): ResolvedPath | "invalid" | undefined {
  try {
    const resolved = resolvePath(workspace, text);
    return realPathIfExists(resolved.requested) === undefined ? undefined : resolved;
  } catch (error) {
    if (isFileToolError(error)) return isLongText(text) ? undefined : "invalid";
    throw error;
  }
}

/** A pattern or a message, which no file has as its name. */
function isLongText(text: string): boolean {
  return text.length > MAX_NAME_CHARACTERS && !text.includes("/");
}

const MAX_NAME_CHARACTERS = 255;

/** Whether a search may come across memory that a rule is about. */
function hasMemoryWithRules(workspace: ToolWorkspace): boolean {
  if (createMemoryFileTest(workspace) === undefined) return false;
  return mayHoldMemory(workspace, realRoot(workspace));
}

const MAX_CONFIG_BYTES = 256 * 1024;

/** Whether Git finds its repository in the workspace, and reads it without running a program that the repository names. */
function isPlainRepository(workspace: ToolWorkspace): boolean {
  const root = realRoot(workspace);
  for (let directory = realPathOf(workspace.startDirectory); ; directory = dirname(directory)) {
    if (!isInside(root, directory)) return false;
    if (lstatIfExists(join(directory, ".git")) !== undefined) {
      const configs = gitAccess(directory).controls.filter((path) => CONFIGS.has(basename(path)));
      return (
        configs.length > 0 &&
        !configs.some((path) => runsPrograms(readSmallFile(path, MAX_CONFIG_BYTES)))
      );
    }
    if (dirname(directory) === directory) return false;
  }
}

const CONFIGS: ReadonlySet<string> = new Set(["config", "config.worktree"]);
