/** What the user forgot: it is neither read in sessions nor written to the memory. */
export interface ForgottenStatements {
  /** Whether a turn says something forgotten, or asks to forget it. */
  readonly isExcluded: (turn: { readonly session: string; readonly text: string }) => boolean;
  /** A Markdown text without forgotten statements. The session it was made from, if it was one. */
  readonly strip: (
    text: string,
    from?: { readonly session?: string | undefined },
  ) => { readonly text: string; readonly removed: number };
  /** The sessions with turns that became excluded, and when, as ISO dates. What was learned from them before is learned again. */
  readonly excludedSessions?: (() => readonly ExcludedSession[]) | undefined;
  /** Receives statements that the user removed from the memory by hand. */
  readonly forget?:
    | ((input: { readonly statements: readonly string[] }) => Promise<unknown>)
    | undefined;
}

interface ExcludedSession {
  readonly session: string;
  readonly at: string;
}
