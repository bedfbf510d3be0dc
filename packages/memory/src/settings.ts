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
  /** As `capTokensClaudeMd`, but wished for by the repository: it never cuts the person's global file. */
  readonly capTokensProject?: number | undefined;
  /** Gitignore patterns, relative to the workspace root, of instruction files to leave out. */
  readonly excludes: readonly string[];
}

export const DEFAULT_SETTINGS: MemorySettings = {
  autoMemory: true,
  ceilingTokens: 32_000,
  excludes: [],
};
