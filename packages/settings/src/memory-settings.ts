import type { SettingValues } from "./keys/setting-keys.ts";

/** The settings of `loadMemory` in `@caliban/memory`. */
export interface MemorySettingValues {
  readonly autoMemory: boolean;
  readonly userMemory: boolean;
  readonly teamMemory: boolean;
  readonly directory: string | undefined;
  readonly ceilingTokens: number;
  readonly capTokensAuto: number | undefined;
  readonly capTokensClaudeMd: number | undefined;
  readonly capTokensTeam: number;
  readonly requestedCapTokensAuto: number | undefined;
  readonly requestedCapTokensProject: number | undefined;
  readonly excludes: readonly string[];
  readonly requestedExcludes: readonly string[];
  readonly additionalDirectories: readonly string[];
}

/** The settings for memory, with the repository's requests kept apart so that they affect its own tiers only. */
export function memorySettings(settings: {
  readonly values: SettingValues;
  readonly trusted: SettingValues;
}): MemorySettingValues {
  const { values, trusted } = settings;
  return {
    autoMemory: values["memory.auto"],
    userMemory: values["memory.user"],
    teamMemory: values["memory.team.enabled"],
    directory: values["memory.directory"],
    ceilingTokens: values["memory.cap_tokens_combined"],
    capTokensAuto: trusted["memory.cap_tokens_auto"],
    capTokensClaudeMd: trusted["memory.cap_tokens_claude_md"],
    capTokensTeam: values["memory.team.cap_tokens"],
    requestedCapTokensAuto: values["memory.cap_tokens_auto"],
    requestedCapTokensProject: values["memory.cap_tokens_claude_md"],
    excludes: trusted.claude_md_excludes,
    // The repository's patterns come after the user's own.
    requestedExcludes: values.claude_md_excludes.slice(trusted.claude_md_excludes.length),
    additionalDirectories: values.additional_directories,
  };
}
