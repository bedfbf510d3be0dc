import type { Diagnostic } from "@caliban/common";

/** Where memory can be imported from: other agents, files that several agents share, and paths. */
export const IMPORT_SOURCES = ["claude", "codex", "gemini", "agents-md", "dir"] as const;
export type ImportSourceName = (typeof IMPORT_SOURCES)[number];

export type SourceProblem =
  | "UNREADABLE"
  | "TOO_LARGE"
  | "TOO_MANY"
  | "INVALID_UTF8"
  | "NOT_TEXT"
  | "INVALID_EXPORT";

/** A file of another agent: its text, or why it cannot be imported. */
export type SourceFile = {
  /** The name that the topic would get. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number | undefined;
  /** Worth knowing about the file, whether or not it is imported. */
  readonly note?: string | undefined;
} & (
  | {
      readonly text: string;
      /** Why the file is only imported on request. */
      readonly excluded?: string | undefined;
      /** Whether that is because the user forgot what it says. */
      readonly isForgotten?: boolean | undefined;
    }
  | { readonly problem: Diagnostic<SourceProblem> }
);

/** Everything found of one source. Finding it changes nothing. */
export interface ImportSource {
  readonly name: ImportSourceName;
  /** The file or directory that was searched; `undefined` when no home directory is known. */
  readonly path: string | undefined;
  readonly exists: boolean;
  readonly files: readonly SourceFile[];
  /** The file that lists the others, if the agent has one in our format. */
  readonly index?: SourceFile | undefined;
  /** Files with instructions for every project. They can be imported with an `@` line. */
  readonly instructions: readonly string[];
  /** About files that were not considered. */
  readonly notices: readonly Diagnostic<"NOT_MARKDOWN" | "TOO_MANY">[];
}
