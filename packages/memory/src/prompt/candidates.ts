import { joinPath, type PathStyle, utf8Bytes } from "@caliban/common";
import { type Candidate, leftOut, type LoadedFile } from "./loaded-file.ts";
import { normalizeText } from "../markdown/normalize.ts";
import type { MemoryLocations } from "../project/locations.ts";
import { sanitize } from "./sanitize.ts";
import { INDEX_FILE } from "../topics/limits.ts";

/** The names of instruction files, in the order in which one directory's count. */
export const INSTRUCTION_FILES: readonly string[] = [".caliban.md", "CLAUDE.md", "AGENTS.md"];
/** The one name that counts when the walk is turned off. */
const MAIN_FILE = "CLAUDE.md";
/** Personal instructions beside the repository's own, in its root only. */
const LOCAL_FILE = "CLAUDE.local.md";
const ROOT_FILES: readonly string[] = [...INSTRUCTION_FILES, LOCAL_FILE];

export interface DiscoverInput {
  readonly places: MemoryLocations;
  readonly workspaceRoot: string;
  /** Real paths, broadest first: the first one is the workspace root, or the home directory below it. */
  readonly walkedDirectories: readonly string[];
  readonly additionalDirectories: readonly string[];
  readonly walk: boolean;
  readonly style: PathStyle;
}

/** Lists the instruction files of both tiers that people write, broad to narrow. */
export function discover(input: DiscoverInput): readonly Candidate[] {
  const { places } = input;
  const global: readonly Candidate[] =
    places.globalFile === undefined
      ? []
      : [{ tier: "global", kind: "instructions", path: places.globalFile }];
  return [...global, ...projectFiles(input)];
}

/** The index of the agent's own notes; said to be off where it is. */
export function autoCandidate(
  { places, style }: Pick<DiscoverInput, "places" | "style">,
  autoMemory: boolean,
): Candidate | LoadedFile | undefined {
  if (places.memoryDirectory === undefined) return undefined;
  const path = joinPath(style, places.memoryDirectory, INDEX_FILE);
  const candidate = { tier: "auto", kind: "index", path } as const;
  return autoMemory ? candidate : leftOut(candidate, "TURNED_OFF", "Auto-memory is turned off.");
}

/** Blocks that a caller adds, such as what a pipeline learned: escaped and counted like any file. */
export function extraFiles(
  blocks: readonly ExtraBlock[],
  autoMemory: boolean,
): readonly LoadedFile[] {
  return blocks.map(({ path, body, cut }) => {
    const candidate = { tier: "extra", kind: "guidance", path } as const;
    if (!autoMemory) return leftOut(candidate, "TURNED_OFF", "Auto-memory is turned off.");
    const text = sanitize(normalizeText(body));
    const size = { fileBytes: utf8Bytes(body), unreadBytes: 0 };
    return { candidate, body: text, imports: [], notices: [], ...size, cut };
  });
}

export interface ExtraBlock {
  /** What the block is named by, such as `memory://root`. */
  readonly path: string;
  readonly body: string;
  /** What the caller left out of it, in a sentence for the receipt. */
  readonly cut?: string | undefined;
}

function projectFiles(input: DiscoverInput): readonly Candidate[] {
  const { workspaceRoot, walkedDirectories, additionalDirectories, style } = input;
  const candidate = (directory: string, name: string): Candidate => ({
    tier: "project",
    kind: "instructions",
    path: joinPath(style, directory, name),
    hasRealParent: true,
  });
  const added = (directory: string, name: string): Candidate => ({
    tier: "project",
    kind: "instructions",
    path: joinPath(style, directory, name),
    isUserOwned: true,
  });
  if (!input.walk) return [candidate(workspaceRoot, MAIN_FILE)];
  return [
    ...walkedDirectories.flatMap((directory) => {
      const names = directory === workspaceRoot ? ROOT_FILES : INSTRUCTION_FILES;
      return names.map((name) => candidate(directory, name));
    }),
    ...additionalDirectories.flatMap((directory) =>
      INSTRUCTION_FILES.map((name) => added(directory, name)),
    ),
  ];
}

/** A longer way up is cut, and said. */
export const MAX_WALKED_DIRECTORIES = 256;

/**
 * The directories whose instruction files count, broadest first: from the workspace root down to the start
 * directory, never above the root, and never above the home directory.
 */
export function walkedDirectories(input: {
  readonly startDirectory: string;
  readonly workspaceRoot: string;
  readonly home: string | undefined;
  readonly parentOf: (directory: string) => string;
}): readonly string[] {
  const { startDirectory, workspaceRoot, home, parentOf } = input;
  const directories = [startDirectory];
  for (let current = startDirectory; directories.length < MAX_WALKED_DIRECTORIES;) {
    if (current === workspaceRoot || current === home) break;
    const parent = parentOf(current);
    if (parent === current) break;
    directories.unshift(parent);
    current = parent;
  }
  return directories;
}
