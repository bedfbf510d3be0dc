import type { Disk, LockTiming } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { lazyTopicStore, once } from "../../store/lazy-store.ts";
import type { FindSecrets } from "../../store/secrets.ts";
import type { Scope, TopicStore } from "../../store/topic-store.ts";

export interface FsTopicStoreInput {
  /** The directory with `MEMORY.md` and the topics. It may be a symbolic link; the files in it may not. */
  readonly directory: string;
  /**
   * Where changes are recorded; `.history` in the directory if left out. A place outside is better, because users may
   * share the directory.
   */
  readonly historyDirectory?: string | undefined;
  /** Whose memory this is; `project` if left out. */
  readonly scope?: Scope | undefined;
  /** The built-in scanner if left out. */
  readonly findSecrets?: FindSecrets;
  /** Milliseconds since 1970; the system clock if left out. */
  readonly now?: () => number;
  readonly disk?: Disk;
  readonly lockTiming?: Partial<LockTiming>;
  /**
   * How long a text that another program saved must be unchanged before it is replaced, because that program may not have
   * finished; 250 milliseconds if left out, and eight times as long for an empty file.
   */
  readonly saveMs?: number;
  /** Called once, before the first write. */
  readonly prepare?: () => Promise<void>;
}

/** Topics as files that users can read and edit. */
export interface FsTopicStore extends TopicStore {
  /** Creates the directory and an index, unless they exist. */
  readonly bootstrap: () => Promise<void>;
  /** Records changes that other programs made to the topics, so that they can be undone; returns how many. */
  readonly recordExternalChanges: () => Promise<number>;
}

/**
 * A store on disk that several processes may use at once and that a crash at any instruction leaves intact. The parsers
 * are loaded by the first call.
 *
 * @example
 * import { createFsTopicStore } from "@caliban/memory/node";
 *
 * const store = createFsTopicStore({ directory: "memory" });
 * await store.write({
 *   name: "deploy-checklist",
 *   description: "run migrations before flipping the flag",
 *   type: "project",
 *   body: "First the migrations, then the flag.",
 *   author: { who: "agent" },
 * });
 * await store.undo({ author: { who: "person" } });
 */
export function createFsTopicStore(input: FsTopicStoreInput): FsTopicStore {
  checkArguments("createFsTopicStore", input, { directory: "string" });
  const opened = once(async () => {
    const { openFsStore } = await import("./fs-store.ts");
    return openFsStore(input);
  });
  return {
    ...lazyTopicStore(opened, input),
    bootstrap: async () => await (await opened()).bootstrap(),
    recordExternalChanges: async () => await (await opened()).recordExternalChanges(),
  };
}
