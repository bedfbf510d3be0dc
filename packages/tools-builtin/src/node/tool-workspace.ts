import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import type { PermissionPolicy } from "@caliban/agent-core";
import type { Environment } from "@caliban/common";
import type { Change } from "@caliban/memory";

/** A file or directory whose changes always need the user's approval. */
export interface ProtectedPath {
  /** It does not have to exist. Links are resolved. */
  readonly path: string;
  /** The rest of a sentence that starts with the path, without the period. */
  readonly reason: string;
}

/** How far commands are confined by the operating system. */
export interface SandboxSettings {
  /** `auto`: where a sandbox works; `on`: always, or commands do not run; `off`: never. */
  readonly mode: "auto" | "on" | "off";
  /** Hosts that commands can reach. Without any, there is no network. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Paths outside of the workspace that commands can write. */
  readonly writablePaths?: readonly string[] | undefined;
  /** Paths that commands can read although they are hidden otherwise. */
  readonly readablePaths?: readonly string[] | undefined;
  /** Paths that commands cannot read, besides keys and the homes of other agents. */
  readonly hiddenPaths?: readonly string[] | undefined;
  /** Creates a private directory for temporary files. Called with the first command. */
  readonly temporaryDirectory?: (() => string) | undefined;
}

/** A change of a file that a tool is about to make. */
export interface FileChange {
  /** Without links. */
  readonly path: string;
  /** For people: relative to the root if possible. */
  readonly display: string;
  /** What is there now, as it was read. Omitted for a new file. */
  readonly previous?: { readonly sha256?: string | undefined; readonly bytes: number } | undefined;
  readonly next: { readonly sha256: string; readonly bytes: number };
}

/** Where the file tools work, and everything they need from their surroundings. */
export interface ToolWorkspace {
  readonly root: string;
  /** Relative paths start here, and shell commands run here. */
  readonly startDirectory: string;
  /** Can be read and written like the root. */
  readonly additionalDirectories: readonly string[];
  /** Can only be read: memory, learned memory, loaded skills. */
  readonly readableDirectories: readonly string[];
  /** The topics. Can only be written by the memory tools. */
  readonly memoryDirectory?: string | undefined;
  /** The topics about the user. Rules about reading memory apply to their files, and they can only be written by the tools. */
  readonly userMemoryDirectory?: string | undefined;
  /** Learned memory. Rules about reading memory apply to its files. */
  readonly learnedDirectory?: string | undefined;
  /** The directory of everything stored about the project, such as the history of its topics. */
  readonly projectHome?: string | undefined;
  /** The directory that `~` means. */
  readonly home?: string | undefined;
  /** The environment of shell commands, which do not get the variables that hold keys. */
  readonly env: Environment;
  /** Names of the variables that hold keys. */
  readonly secretVariables: readonly string[];
  /** A Node platform name. */
  readonly platform: string;
  /** Where the full text of long command output is saved. Called when there is some. */
  readonly outputDirectory: () => string;
  /** Returns the rules and nested instructions that apply to a file that was touched, and the files they are in. */
  readonly activate?: ((path: string) => Promise<Activation>) | undefined;
  /** Files that were loaded into the prompt. Changing one needs approval, as with those that `activate` returns. */
  readonly instructionPaths?: readonly string[] | undefined;
  /** Paths that steer the session under any name. Called before a file is written, and again from time to time. */
  readonly protectedPaths?: (() => readonly ProtectedPath[]) | undefined;
  /** Grep and Glob skip the files that these rules deny reading. */
  readonly policy?: PermissionPolicy | undefined;
  /** Returns the text of an address such as `memory://root`. */
  readonly resolveUrl?:
    | ((url: string) => Promise<{ readonly text: string } | { readonly problem: string }>)
    | undefined;
  /** Returns the ripgrep to use, or `undefined` for the built-in search. By default, PATH is searched. */
  readonly findRipgrep?: (() => string | undefined) | undefined;
  /**
   * Called right before a tool changes a file, such as to save its content. What it returns is called once the file is
   * changed. It must not fail: a file that cannot be saved is changed all the same.
   */
  readonly onChange?: ((change: FileChange) => Promise<(() => Promise<void>) | void>) | undefined;
  /** Returns the history of the memory directory, newest first, to tell the changes of a command from other ones. */
  readonly memoryLog?: (() => Promise<readonly Change[]>) | undefined;
  /** Called before the first command runs, such as to hide keys from it. */
  readonly onFirstCommand?: (() => Promise<void>) | undefined;
  /** Commands are not confined without it. */
  readonly sandbox?: SandboxSettings | undefined;
  /** The time limit of a search. */
  readonly searchTimeoutMs?: number | undefined;
  /** The time that a command gets to end before it is killed. */
  readonly killGraceMs?: number | undefined;
  /** How web pages are fetched. By default, directly. */
  readonly web?: WebAccess | undefined;
}

/** How web pages are fetched. */
export interface WebAccess {
  /** Finds the addresses of a host. By default, the system does. */
  readonly resolveHost?: ((host: string) => Promise<readonly string[]>) | undefined;
  /** Opens a connection to a checked address, such as through a tunnel: a `Socket` of `node:net`. By default, directly. */
  readonly connect?:
    | ((endpoint: { readonly address: string; readonly port: number }) => object)
    | undefined;
  /** The time limit of a page, with all its redirects. */
  readonly timeoutMs?: number | undefined;
}

interface Activation {
  readonly text: string;
  readonly paths?: readonly string[] | undefined;
}

/** A workspace of which only the root and the environment are required. */
export type WorkspaceInput = Pick<ToolWorkspace, "root" | "env"> & Partial<ToolWorkspace>;

/** Fills in the defaults. */
export function completeWorkspace(input: WorkspaceInput): ToolWorkspace {
  const { root, env } = input;
  // Callers in plain JavaScript get a message they can act on.
  if (root === undefined) throw new Error("createFileTools requires `root`, a directory");
  if (env === undefined) {
    throw new Error("createFileTools requires `env`, the environment of shell commands");
  }
  return {
    startDirectory: root,
    additionalDirectories: [],
    readableDirectories: [],
    secretVariables: [],
    platform: platform(),
    outputDirectory: () => join(tmpdir(), "caliban-outputs"),
    ...input,
  };
}
