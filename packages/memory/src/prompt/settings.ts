import { MemoryError } from "../errors.ts";

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
  readonly wishedCapTokensAuto?: number | undefined;
  readonly wishedCapTokensProject?: number | undefined;
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
  "wishedCapTokensAuto",
  "wishedCapTokensProject",
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
