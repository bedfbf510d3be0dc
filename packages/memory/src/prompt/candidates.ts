import { joinPath, type PathStyle } from "@caliban/common";
import type { MemoryLocations } from "../project/locations.ts";
import { INDEX_FILE } from "../topics/limits.ts";
import type { FileKind, IndexScope, TierKind } from "./tier.ts";

/** A file to consider for the prompt. */
export interface Candidate {
  readonly tier: TierKind;
  readonly kind: FileKind;
  readonly path: string;
  /** `user` for the index of topics that hold in every project, `team` for that of topics that a team shares. */
  readonly scope?: IndexScope;
  /** Whether its directory is known to be a real path. */
  readonly hasRealParent?: boolean;
  /** Whether the user chose its directory, so that it needs no approval. */
  readonly isUserOwned?: boolean;
  /** Whether it is the user's own file in the repository, which the repository's settings do not affect. */
  readonly isLocal?: boolean;
  /** Whether its tier is turned off, so that it is reported but not read. */
  readonly isTurnedOff?: boolean;
}

/** A block that the caller adds, such as what a pipeline learned. It is escaped and budgeted like any file. */
export interface ExtraBlock {
  /** Names the block, such as `memory://root`. */
  readonly path: string;
  readonly body: string;
  /** What the caller left out of the body, as a message for the receipt. */
  readonly cut?: string | undefined;
}

/** The names of instruction files, in the order in which they are loaded from one directory. */
const INSTRUCTION_FILES: readonly string[] = [".caliban.md", "CLAUDE.md", "AGENTS.md"];
/** The only name that is loaded when the walk is turned off. */
const MAIN_FILE = "CLAUDE.md";
/** The user's own instructions next to the repository's, in its root only. */
const LOCAL_FILE = "CLAUDE.local.md";
const ROOT_FILES: readonly string[] = [...INSTRUCTION_FILES, LOCAL_FILE];

export interface GatherInput {
  readonly locations: MemoryLocations;
  readonly workspaceRoot: string;
  /** Real paths, broadest first: the first one is the workspace root, or the home directory if that is below it. */
  readonly walkedDirectories: readonly string[];
  readonly additionalDirectories: readonly string[];
  /** The rule files that were found. */
  readonly rules: readonly Candidate[];
  readonly walk: boolean;
  readonly autoMemory: boolean;
  readonly userMemory: "on" | "off" | "absent";
  /** The directory of the topics that the team shares, if the project has any. */
  readonly teamDirectory?: string | undefined;
  readonly teamMemory: boolean;
  readonly style: PathStyle;
}

/** Lists every file to consider, in the order in which they are read: global, project, rules, the indexes. */
export function gatherCandidates(input: GatherInput): readonly Candidate[] {
  return [
    ...globalFile(input),
    ...projectFiles(input),
    ...input.rules,
    ...userIndexFile(input),
    ...teamIndexFile(input),
    ...indexFile(input),
  ];
}

/** The instruction files that a directory may hold. */
export function instructionFiles(style: PathStyle, directory: string): readonly Candidate[] {
  return INSTRUCTION_FILES.map((name) => ({
    tier: "project",
    kind: "instructions",
    path: joinPath(style, directory, name),
  }));
}

function globalFile({ locations }: GatherInput): readonly Candidate[] {
  const { globalFile: path } = locations;
  return path === undefined ? [] : [{ tier: "global", kind: "instructions", path }];
}

function projectFiles(input: GatherInput): readonly Candidate[] {
  const { workspaceRoot, additionalDirectories, style } = input;
  const walked = (directory: string, name: string): Candidate => ({
    tier: "project",
    kind: "instructions",
    path: joinPath(style, directory, name),
    hasRealParent: true,
    ...(name === LOCAL_FILE ? { isLocal: true } : {}),
  });
  if (!input.walk) return [walked(workspaceRoot, MAIN_FILE)];
  return [
    ...input.walkedDirectories.flatMap((directory) => {
      const names = directory === workspaceRoot ? ROOT_FILES : INSTRUCTION_FILES;
      return names.map((name) => walked(directory, name));
    }),
    ...additionalDirectories.flatMap((directory) =>
      INSTRUCTION_FILES.map((name): Candidate => ({
        tier: "project",
        kind: "instructions",
        path: joinPath(style, directory, name),
        isUserOwned: true,
      })),
    ),
  ];
}

/** Not listed without topics about the user, nor when auto-memory is off: the tier as a whole is reported then. */
function userIndexFile(input: GatherInput): readonly Candidate[] {
  const { locations, style, autoMemory, userMemory } = input;
  const { userMemoryDirectory: directory } = locations;
  if (directory === undefined || !autoMemory || userMemory === "absent") return [];
  const path = joinPath(style, directory, INDEX_FILE);
  return [
    {
      tier: "auto",
      kind: "index",
      scope: "user",
      path,
      ...(userMemory === "off" ? { isTurnedOff: true } : {}),
    },
  ];
}

function teamIndexFile(input: GatherInput): readonly Candidate[] {
  const { style, autoMemory, teamMemory, teamDirectory: directory } = input;
  if (directory === undefined || !autoMemory) return [];
  const path = joinPath(style, directory, INDEX_FILE);
  return [
    {
      tier: "auto",
      kind: "index",
      scope: "team",
      path,
      ...(teamMemory ? {} : { isTurnedOff: true }),
    },
  ];
}

function indexFile({ locations, style, autoMemory }: GatherInput): readonly Candidate[] {
  if (locations.memoryDirectory === undefined) return [];
  const path = joinPath(style, locations.memoryDirectory, INDEX_FILE);
  return [{ tier: "auto", kind: "index", path, ...(autoMemory ? {} : { isTurnedOff: true }) }];
}

/** The walk stops after this many directories and reports it. */
export const MAX_WALKED_DIRECTORIES = 256;

/**
 * The directories whose instruction files are loaded, broadest first: from the workspace root down to the start
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
