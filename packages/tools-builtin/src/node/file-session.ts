import type { Located } from "./locate.ts";
import { findProtectedPlaces, type ProtectedPlace } from "./protection/protected-paths.ts";
import type { ToolWorkspace } from "./tool-workspace.ts";

/** What a file was when the model last saw or wrote it. */
export interface FileMark {
  readonly bytes: number;
  readonly changedMs: number;
  /** Left out for files too large to read whole. */
  readonly sha256?: string | undefined;
}

/** What a call was about when it was allowed. */
export interface DecidedPlace {
  /** The path as the model gave it. */
  readonly text: string;
  /** Left out for what was no path. */
  readonly located: Located | undefined;
  readonly protection: string | undefined;
  /** Left out for tools that change nothing. */
  readonly protectionOf?: ((located: Located) => string | undefined) | undefined;
}

/** What the file tools of one session share. */
export interface FileSession {
  readonly workspace: ToolWorkspace;
  /** By real path. */
  readonly seen: Map<string, FileMark>;
  /** Files with whole outputs of commands: the model may read them. */
  readonly outputs: Set<string>;
  /** Runs what may change something one after the other. */
  readonly inTurn: <Result>(action: () => Promise<Result>) => Promise<Result>;
  readonly protectedPlaces: () => readonly ProtectedPlace[];
  /** They are looked for anew when they are next asked for. */
  readonly forgetPlaces: () => void;
  /** Of the call that this is handed to; left out between calls. */
  readonly decided?: DecidedPlace | undefined;
}

/** For what others change around the tools. */
const PLACES_LAST_MS = 2_000;

/** A session in which nothing was read yet. */
export function createFileSession(workspace: ToolWorkspace): FileSession {
  let last: Promise<unknown> = Promise.resolve();
  let places: { readonly found: readonly ProtectedPlace[]; readonly atMs: number } | undefined;
  const forgetPlaces = (): void => {
    places = undefined;
  };
  return {
    workspace,
    seen: new Map(),
    outputs: new Set(),
    inTurn: async (action) => {
      // A command may have made links.
      const turn = last.then(action).finally(forgetPlaces);
      // Whoever called hears of a failure; the next one begins all the same.
      last = turn.catch(() => undefined);
      return await turn;
    },
    protectedPlaces: () => {
      const nowMs = Date.now();
      if (places === undefined || nowMs - places.atMs > PLACES_LAST_MS) {
        places = { found: findProtectedPlaces(workspace), atMs: nowMs };
      }
      return places.found;
    },
    forgetPlaces,
  };
}
