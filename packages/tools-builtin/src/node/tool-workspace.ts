import type { Environment } from "@caliban/common";

/** A file or directory that is not changed without a question, whatever allows it. */
export interface ProtectedPath {
  /** Need not be there; links in it count for what they lead to. */
  readonly path: string;
  /** The end of a sentence that begins with the path, without its full stop. */
  readonly reason: string;
}

/** Where the file tools work, and everything they need of the world around them. */
export interface ToolWorkspace {
  readonly root: string;
  /** What relative paths begin at, and where shell commands run. */
  readonly startDirectory: string;
  /** Read and written like the root. */
  readonly additionalDirectories: readonly string[];
  /** Only read: memory, what was learned by itself, loaded skills. */
  readonly readableDirectories: readonly string[];
  /** Written by the memory tools only. */
  readonly memoryDirectory?: string | undefined;
  /** What `~` stands for. */
  readonly home?: string | undefined;
  /** What shell commands get, without the variables that hold keys. */
  readonly env: Environment;
  /** Names of variables that hold keys. */
  readonly secretVariables: readonly string[];
  /** A Node platform name. */
  readonly platform: string;
  /** Where long outputs of shell commands are kept whole; asked for when there is one. */
  readonly outputDirectory: () => string;
  /** Rules and nested instructions that a touched file brings with it. */
  readonly activate?: ((path: string) => Promise<{ readonly text: string }>) | undefined;
  /** What steers the session besides files of known names; asked for before a file is written, and now and then again. */
  readonly protectedPaths?: (() => readonly ProtectedPath[]) | undefined;
  /** Whether Grep and Glob may show a file, by its path as a rule for Read has it; every one where this is left out. */
  readonly isReadable?: ((path: string, tool: "Grep" | "Glob") => boolean) | undefined;
  /** The text behind an address such as `memory://root`. */
  readonly resolveUrl?:
    | ((url: string) => Promise<{ readonly text: string } | { readonly problem: string }>)
    | undefined;
  /** The ripgrep to search with; `undefined` for the search that is built in. Without it, PATH is looked through. */
  readonly findRipgrep?: (() => string | undefined) | undefined;
  /** Whether a file of the memory directory, by its name there, was changed by the memory tools since a time. */
  readonly isOwnMemoryChange?: ((name: string, sinceMs: number) => Promise<boolean>) | undefined;
  /** How long a search may take. */
  readonly searchTimeoutMs?: number | undefined;
  /** How long a command that was told to end may take for it. */
  readonly killGraceMs?: number | undefined;
}
