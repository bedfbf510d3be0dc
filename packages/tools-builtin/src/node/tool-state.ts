import type { ResolvedPath } from "./resolve-path.ts";
import { findProtectedPaths, type ProtectedRealPath } from "./protection/protected-paths.ts";
import type { ToolWorkspace } from "./tool-workspace.ts";

/** What a file was when the model last saw or wrote it. */
export interface FileFingerprint {
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Left out for files too large to read whole. */
  readonly sha256?: string | undefined;
}

/** What a call was about when it was allowed. */
export interface ApprovedTarget {
  /** The path as the model gave it. */
  readonly text: string;
  /** Left out for what was no path. */
  readonly resolved: ResolvedPath | undefined;
  readonly protection: string | undefined;
  /** Left out for tools that change nothing. */
  readonly protectionOf?: ((located: ResolvedPath) => string | undefined) | undefined;
}

/** What the file tools of one session share. */
export interface ToolState {
  readonly workspace: ToolWorkspace;
  /** By real path. */
  readonly seenFiles: Map<string, FileFingerprint>;
  /** Files with whole outputs of commands: the model may read them. */
  readonly outputFiles: Set<string>;
  /** Runs what may change something one after the other. */
  readonly enqueue: <Result>(action: () => Promise<Result>) => Promise<Result>;
  readonly protectedPaths: () => readonly ProtectedRealPath[];
  /** They are looked for anew when they are next asked for. */
  readonly forgetProtectedPaths: () => void;
  /** Of the call that this is handed to; left out between calls. */
  readonly approved?: ApprovedTarget | undefined;
}

/** For what others change around the tools. */
const PLACES_LAST_MS = 2_000;

/** A session in which nothing was read yet. */
export function createToolState(workspace: ToolWorkspace): ToolState {
  let last: Promise<unknown> = Promise.resolve();
  let places: { readonly found: readonly ProtectedRealPath[]; readonly atMs: number } | undefined;
  const forgetPlaces = (): void => {
    places = undefined;
  };
  return {
    workspace,
    seenFiles: new Map(),
    outputFiles: new Set(),
    enqueue: async (action) => {
      // A command may have made links.
      const turn = last.then(action).finally(forgetPlaces);
      // Whoever called hears of a failure; the next one begins all the same.
      last = turn.catch(() => undefined);
      return await turn;
    },
    protectedPaths: () => {
      const nowMs = Date.now();
      if (places === undefined || nowMs - places.atMs > PLACES_LAST_MS) {
        places = { found: findProtectedPaths(workspace), atMs: nowMs };
      }
      return places.found;
    },
    forgetProtectedPaths: forgetPlaces,
  };
}
