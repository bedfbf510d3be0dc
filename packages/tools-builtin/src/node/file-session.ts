import type { ToolWorkspace } from "./tool-workspace.ts";

/** What a file was when the model last saw or wrote it. */
export interface FileMark {
  readonly bytes: number;
  readonly changedMs: number;
  /** Left out for files too large to read whole. */
  readonly sha256?: string | undefined;
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
}

/** A session in which nothing was read yet. */
export function createFileSession(workspace: ToolWorkspace): FileSession {
  let last: Promise<unknown> = Promise.resolve();
  return {
    workspace,
    seen: new Map(),
    outputs: new Set(),
    inTurn: async (action) => {
      const turn = last.then(action);
      // Whoever called hears of a failure; the next one begins all the same.
      last = turn.catch(() => undefined);
      return await turn;
    },
  };
}
