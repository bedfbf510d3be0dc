import { MemoryError } from "../errors.ts";
import { type Environment, parseFlag } from "@caliban/common";

/** What a caller may choose about the memory prefix. Plain data: where it was configured does not matter here. */
export interface MemorySettings {
  /** False leaves the agent-written tier out. */
  readonly autoMemory: boolean;
  /** Where the agent's notes live instead of the project home. */
  readonly directory?: string | undefined;
  /** Most tokens of the whole prefix. */
  readonly ceilingTokens: number;
  readonly capTokensAuto?: number | undefined;
  /** Most tokens of the global and project tiers together. */
  readonly capTokensClaudeMd?: number | undefined;
  /** Caps the repository wishes for: each can cut its own tier only, and changes no other cap. */
  readonly requestedCapTokensAuto?: number | undefined;
  readonly requestedCapTokensProject?: number | undefined;
  /** Gitignore patterns, relative to the workspace root, of instruction files to leave out. */
  readonly excludes: readonly string[];
  /** Directories besides the workspace whose files a person lets the agent use. */
  readonly additionalDirectories: readonly string[];
}

/** Some of the settings; what is missing or `undefined` is as by default. */
export type ChosenSettings = {
  readonly [K in keyof MemorySettings]?: MemorySettings[K] | undefined;
};

export const DEFAULT_SETTINGS: MemorySettings = {
  autoMemory: true,
  ceilingTokens: 32_000,
  excludes: [],
  additionalDirectories: [],
};

const TOKEN_COUNTS = [
  "ceilingTokens",
  "capTokensAuto",
  "capTokensClaudeMd",
  "requestedCapTokensAuto",
  "requestedCapTokensProject",
] as const;

/** @throws MemoryError `INVALID_SETTINGS` for a number of tokens that is none. */
export function completeSettings(chosen: ChosenSettings = {}): MemorySettings {
  for (const name of TOKEN_COUNTS) {
    const value = chosen[name];
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue;
    throw new MemoryError(
      "INVALID_SETTINGS",
      `${name} must be a whole number above 0, not ${value}`,
    );
  }
  return {
    ...chosen,
    autoMemory: chosen.autoMemory ?? DEFAULT_SETTINGS.autoMemory,
    ceilingTokens: chosen.ceilingTokens ?? DEFAULT_SETTINGS.ceilingTokens,
    excludes: chosen.excludes ?? DEFAULT_SETTINGS.excludes,
    additionalDirectories: chosen.additionalDirectories ?? DEFAULT_SETTINGS.additionalDirectories,
  };
}

/** What variables turn on or off for one run. */
export interface MemorySwitches {
  /** External imports need no approval in this run. */
  readonly approveImports: boolean;
  /** Instruction files of every directory down to the start count, and rules; else the root's CLAUDE.md only. */
  readonly walk: boolean;
  /** Instruction files of additional directories count as well. */
  readonly additionalInstructions: boolean;
}

/** @throws MemoryError `INVALID_ENVIRONMENT` for a word that is neither yes nor no. */
export function readSwitches(env: Environment): MemorySwitches {
  return {
    approveImports: readSwitch(env, "CALIBAN_APPROVE_IMPORTS"),
    walk: !readSwitch(env, "CALIBAN_DISABLE_CLAUDE_MD_WALK"),
    additionalInstructions: readSwitch(env, "CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD"),
  };
}

function readSwitch(env: Environment, name: string): boolean {
  const text = env[name] ?? "";
  const value = parseFlag(text);
  if (value !== undefined) return value;
  throw new MemoryError(
    "INVALID_ENVIRONMENT",
    `${name}: must be 1, true, yes, on, or 0, false, no, off, not ${JSON.stringify(text)}`,
  );
}
