import type { Disk, LockTiming } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { checkFirst, lazyTopicStore, once } from "../../store/lazy-store.ts";
import type { FindSecrets } from "../../store/secrets.ts";
import type { TopicStore } from "../../store/topic-store.ts";
import type { ImportedTopics, ImportTopicsInput } from "./import-topics.ts";
import type { TopicHistory } from "./topic-history.ts";

export interface FsTopicStoreInput {
  /** The directory with `MEMORY.md` and the topics. It may be a symbolic link; the files in it may not. */
  readonly directory: string;
  /**
   * Where changes are recorded; `.history` in the directory if left out. A place outside is better, because users may
   * share the directory.
   */
  readonly historyDirectory?: string | undefined;
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

/** Topics as files that users can read and edit, with a history of all changes. */
export interface FsTopicStore extends TopicStore, TopicHistory {
  /** Creates the directory and an index, unless they exist. */
  readonly bootstrap: () => Promise<void>;
  /** Changes the hand-written part of the index. */
  readonly editIndex: (change: (text: string) => Promise<string>) => Promise<void>;
  /** Imports files of another program; existing topics are kept. */
  readonly importTopics: (input: ImportTopicsInput) => Promise<ImportedTopics>;
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
  const checked = checkFirst(opened);
  return {
    ...lazyTopicStore(opened),
    bootstrap: async () => await (await opened()).bootstrap(),
    editIndex: async (change) => await (await checked("editIndex", { change })).editIndex(change),
    importTopics: async (request) =>
      await (await checked("importTopics", request)).importTopics(request),
    recordExternalChanges: async () => await (await opened()).recordExternalChanges(),
    log: async (name) => await (await opened()).log(name),
    undo: async (request) => await (await checked("undo", request)).undo(request),
    erase: async (name) => await (await checked("erase", { name })).erase(name),
  };
}
