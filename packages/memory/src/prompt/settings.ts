import { type Environment, parseFlag } from "@caliban/common";
import { MemoryError } from "../errors.ts";

/** The settings of the memory prefix, as plain data: where they were configured does not matter here. */
export interface MemorySettings {
  /** False leaves out the tier that the agent writes. */
  readonly autoMemory: boolean;
  /** False leaves out what the agent knows about the user in every project. */
  readonly userMemory: boolean;
  /** False leaves out what the team of the project shares. */
  readonly teamMemory: boolean;
  /** The directory of the agent's topics, instead of one in the project home. */
  readonly directory?: string | undefined;
  /** The maximum for the whole prefix. */
  readonly ceilingTokens: number;
  readonly capTokensAuto?: number | undefined;
  /** The maximum for the global and project tiers together. */
  readonly capTokensClaudeMd?: number | undefined;
  /** The maximum for the topics that a team shares. */
  readonly capTokensTeam?: number | undefined;
  /**
   * Caps requested by the repository: each can only cut its own tier, and changes no other cap. The user's own
   * `CLAUDE.local.md` is never cut by them.
   */
  readonly requestedCapTokensAuto?: number | undefined;
  readonly requestedCapTokensProject?: number | undefined;
  /** Gitignore patterns, relative to the workspace root, of instruction files to leave out. */
  readonly excludes: readonly string[];
  /** Patterns that the repository adds. They never exclude the user's own `CLAUDE.local.md`. */
  readonly requestedExcludes?: readonly string[] | undefined;
  /** Directories outside the workspace whose files the user lets the agent use. */
  readonly additionalDirectories: readonly string[];
}

/** Some of the settings; the others have their defaults. */
export type ChosenSettings = {
  readonly [K in keyof MemorySettings]?: MemorySettings[K] | undefined;
};

export const DEFAULT_SETTINGS: MemorySettings = {
  autoMemory: true,
  userMemory: true,
  teamMemory: true,
  ceilingTokens: 32_000,
  excludes: [],
  additionalDirectories: [],
};

const TOKEN_COUNTS = [
  "ceilingTokens",
  "capTokensAuto",
  "capTokensClaudeMd",
  "capTokensTeam",
  "requestedCapTokensAuto",
  "requestedCapTokensProject",
] as const;

/** @throws MemoryError `INVALID_SETTINGS` for a token count that is not a positive integer */
export function completeSettings(chosen: ChosenSettings = {}): MemorySettings {
  for (const name of TOKEN_COUNTS) {
    const value = chosen[name];
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue;
    throw new MemoryError("INVALID_SETTINGS", `${name} must be a positive integer, not ${value}`);
  }
  return {
    ...chosen,
    autoMemory: chosen.autoMemory ?? DEFAULT_SETTINGS.autoMemory,
    userMemory: chosen.userMemory ?? DEFAULT_SETTINGS.userMemory,
    teamMemory: chosen.teamMemory ?? DEFAULT_SETTINGS.teamMemory,
    ceilingTokens: chosen.ceilingTokens ?? DEFAULT_SETTINGS.ceilingTokens,
    excludes: chosen.excludes ?? DEFAULT_SETTINGS.excludes,
    additionalDirectories: chosen.additionalDirectories ?? DEFAULT_SETTINGS.additionalDirectories,
  };
}

/** What environment variables turn on or off for one run. */
export interface MemoryFlags {
  /** Whether external imports need no approval in this run. */
  readonly approveImports: boolean;
  /** Whether rules and the instruction files of every directory down to the start are loaded, not just CLAUDE.md. */
  readonly walk: boolean;
  /** Whether the instruction files of additional directories are loaded, too. */
  readonly additionalInstructions: boolean;
}

/** @throws MemoryError `INVALID_ENVIRONMENT` for a value that is neither yes nor no */
export function readFlags(env: Environment): MemoryFlags {
  return {
    approveImports: readFlag(env, "CALIBAN_APPROVE_IMPORTS"),
    walk: !readFlag(env, "CALIBAN_DISABLE_CLAUDE_MD_WALK"),
    additionalInstructions: readFlag(env, "CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD"),
  };
}

function readFlag(env: Environment, name: string): boolean {
  const text = env[name] ?? "";
  const value = parseFlag(text);
  if (value !== undefined) return value;
  throw new MemoryError(
    "INVALID_ENVIRONMENT",
    `${name}: must be 1, true, yes, on, or 0, false, no, off, not ${JSON.stringify(text)}`,
  );
}
