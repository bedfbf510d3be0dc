/** Places where a banned phrase stays, with the reason. */
export interface AllowedPhrase {
  /** A file or a folder, relative to the repository. */
  readonly path: string;
  /** What the line contains. */
  readonly text: string;
  readonly because: string;
}

export const ALLOWED_PHRASES: readonly AllowedPhrase[] = [
  {
    path: "apps/caliban/src/commands/mcp/list.ts",
    text: "isWish",
    because: "a key of the JSON output of `caliban mcp list`",
  },
];
