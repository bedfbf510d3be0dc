import { createQueue, type Queue } from "@caliban/common";
import { createDirectoryLister } from "./protection/directory-lister.ts";
import { findProtectedPaths, type ProtectedRealPath } from "./protection/protected-paths.ts";
import type { ResolvedPath } from "./resolve-path.ts";
import type { SessionSandbox, SessionSandboxInput } from "./sandbox/session-sandbox.ts";
import type { SandboxSettings, ToolWorkspace } from "./tool-workspace.ts";

/** Identifies the content of a file when the model last read or wrote it. */
export interface FileFingerprint {
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Omitted for files that are too large to be hashed. */
  readonly sha256?: string | undefined;
}

/** The target that a call was permitted for. */
export interface ApprovedTarget {
  /** The path as the model passed it. */
  readonly text: string;
  /** Omitted if the text is not a valid path. */
  readonly resolved: ResolvedPath | undefined;
  readonly protection: string | undefined;
  /** Omitted for tools that change nothing. */
  readonly protectionOf?: ((resolved: ResolvedPath) => string | undefined) | undefined;
}

/** A command that runs while the conversation continues. */
export interface BackgroundCommand {
  readonly command: string;
  /** Returns what it has printed since the last call. */
  readonly takeOutput: () => { readonly text: string; readonly lines: number };
  /** Says how it ended. `undefined` while it runs. */
  readonly ended: () => string | undefined;
  /** Ends it together with everything it started. */
  readonly stop: () => Promise<void>;
}

/** The state that the file tools of one session share. */
export interface ToolState {
  readonly workspace: ToolWorkspace;
  /** The files that the model has read or written, by real path. */
  readonly seenFiles: Map<string, FileFingerprint>;
  /** Files with the full output of commands. The model may read them. */
  readonly outputFiles: Set<string>;
  /** Commands that were started in the background, by id. */
  readonly background: Map<string, BackgroundCommand>;
  /** Runs actions that may change something one after another. */
  readonly enqueue: Queue;
  /** Files whose rules and instructions were loaded in this session. */
  readonly activatedPaths: Set<string>;
  readonly protectedPaths: () => readonly ProtectedRealPath[];
  /** Makes the next request for the protected paths search for them again. */
  readonly forgetProtectedPaths: () => void;
  /** Resolves when what must happen before the first command is done. */
  readonly readyForCommands: () => Promise<void>;
  /** Confines commands. `undefined` if they are not to be confined. Loaded with the first command. */
  readonly sandbox: () => Promise<SessionSandbox | undefined>;
  /** The target of the call that gets this state. Omitted between calls. */
  readonly approved?: ApprovedTarget | undefined;
}

/** Limits how long a change by someone else can go unnoticed. */
const PROTECTED_PATHS_TTL_MS = 2_000;

/** Creates the state of a session in which nothing has been read yet. */
export function createToolState(workspace: ToolWorkspace): ToolState {
  const enqueue = createQueue();
  const activatedPaths = new Set<string>();
  let cached: { readonly paths: readonly ProtectedRealPath[]; readonly atMs: number } | undefined;
  let ready: Promise<void> | undefined;
  const directories = createDirectoryLister();
  const forgetProtectedPaths = (): void => {
    cached = undefined;
  };
  const protectedPaths = (): readonly ProtectedRealPath[] => {
    const nowMs = Date.now();
    if (cached === undefined || nowMs - cached.atMs > PROTECTED_PATHS_TTL_MS) {
      directories.refresh();
      const paths = findProtectedPaths(workspace, activatedPaths, directories.list);
      cached = { paths, atMs: nowMs };
    }
    return cached.paths;
  };
  return {
    workspace,
    seenFiles: new Map(),
    outputFiles: new Set(),
    background: new Map(),
    activatedPaths,
    enqueue: async (action) =>
      await enqueue(async () => {
        try {
          return await action();
        } finally {
          // A command may have created links.
          forgetProtectedPaths();
        }
      }),
    protectedPaths,
    readyForCommands: () => (ready ??= workspace.onFirstCommand?.() ?? Promise.resolve()),
    sandbox: lazySandbox({ workspace, protectedPaths, directories }),
    forgetProtectedPaths,
  };
}

function lazySandbox(input: Omit<SessionSandboxInput, "settings">): ToolState["sandbox"] {
  const { sandbox: settings } = input.workspace;
  let loaded: Promise<SessionSandbox> | undefined;
  const load = async (given: SandboxSettings): Promise<SessionSandbox> => {
    const { createSessionSandbox } = await import("./sandbox/session-sandbox.ts");
    return createSessionSandbox({ ...input, settings: given });
  };
  return async () =>
    settings === undefined || settings.mode === "off"
      ? undefined
      : await (loaded ??= load(settings));
}
