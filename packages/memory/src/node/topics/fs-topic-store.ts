import type { Disk, LockTiming } from "@caliban/common/node";
import { lazyTopicStore, once } from "../../store/lazy-store.ts";
import type { FindSecrets } from "../../store/secrets.ts";
import type { TopicStore } from "../../store/topic-store.ts";
import type { ImportedTopics, ImportTopicsInput } from "./import-topics.ts";
import type { TopicHistory } from "./topic-history.ts";

export interface FsTopicStoreInput {
  /** Where `MEMORY.md` and the topics are. It may be a link; nothing in it may. */
  readonly directory: string;
  /**
   * Where every change is recorded, best outside of the directory, which people may share. Without it, in `.history`
   * of the directory.
   */
  readonly historyDirectory?: string | undefined;
  readonly findSecrets?: FindSecrets;
  readonly now?: () => number;
  readonly disk?: Disk;
  readonly lockTiming?: Partial<LockTiming>;
  /** Called once, before the first write. */
  readonly prepare?: () => Promise<void>;
}

/** Topics as files that a person can read and edit, with everything that ever happened to them. */
export interface FsTopicStore extends TopicStore, TopicHistory {
  /** Makes the directory and an index, unless they are there. */
  readonly bootstrap: () => Promise<void>;
  /** Changes what stands in the index besides our lines. */
  readonly editIndex: (change: (text: string) => Promise<string>) => Promise<void>;
  /** Takes files of another program over, beside those that are there. */
  readonly importTopics: (input: ImportTopicsInput) => Promise<ImportedTopics>;
  /** Writes down what others did to the topics without us, so that it can be undone; how many they changed. */
  readonly recordExternalChanges: () => Promise<number>;
}

/**
 * A store on disk that several processes may use at once, and that a crash at any instruction leaves whole. What it
 * takes to read and write topics is loaded with the first call.
 */
export function createFsTopicStore(input: FsTopicStoreInput): FsTopicStore {
  const opened = once(async () => {
    const { openFsStore: openFsTopics } = await import("./fs-store.ts");
    return openFsTopics(input);
  });
  return {
    ...lazyTopicStore(opened),
    bootstrap: async () => await (await opened()).bootstrap(),
    editIndex: async (change) => await (await opened()).editIndex(change),
    importTopics: async (request) => await (await opened()).importTopics(request),
    recordExternalChanges: async () => await (await opened()).recordExternalChanges(),
    log: async (name) => await (await opened()).log(name),
    undo: async (request) => await (await opened()).undo(request),
    erase: async (name) => await (await opened()).erase(name),
  };
}
