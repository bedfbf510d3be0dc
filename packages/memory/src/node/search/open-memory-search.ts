import type { SearchSource } from "../../search/live-index/source.ts";
import type { CheckEvidence, IsForgotten } from "../../search/memory-search.ts";
import type { MemorySearch } from "../../search/results/results.ts";
import type { NoteIndex } from "../../notes/note-index.ts";
import type { Note, NoteRequest } from "../../notes/note.ts";
import type { NoteFinder } from "../notes/find-note.ts";
import { once } from "../../store/lazy-store.ts";
import { openTopicStore, type OpenTopicStoreInput } from "../open-topic-store.ts";
import type { TopicStore } from "../../store/topic-store.ts";
import type { OpenedIndex } from "./open-index.ts";

export interface OpenMemorySearchInput extends OpenTopicStoreInput {
  /**
   * What to search in addition to the topics, such as past sessions; not called without a project home. Always the same
   * sources, because a stored index is only valid for the sources it was built from.
   */
  readonly sources?: ((projectHome: string) => Promise<readonly SearchSource[]>) | undefined;
  /** The store of the topics, if they are not in files. */
  readonly store?: TopicStore | undefined;
  /** Whether something was forgotten, which is not shown. */
  readonly isForgotten?: IsForgotten | undefined;
  /** Whether the topics about the user are searched, too; false by default. */
  readonly userTopics?: boolean | undefined;
  /** Whether an index on disk is used and written; true by default. */
  readonly isStored?: boolean | undefined;
  /** Tells whether the evidence of a topic is still there. Checks the files of the workspace if left out. */
  readonly checkEvidence?: CheckEvidence | undefined;
}

/** The search of a project. All methods but `stop` throw a MemoryError when there is no directory for topics. */
export interface OpenedMemorySearch extends MemorySearch {
  /** The memory that applies to a message or a call, if any. Uses the index if it is loaded, and never waits for it. */
  readonly note: (request: NoteRequest) => Promise<Note | undefined>;
  /** Loads and updates the index for notes. Waits at most so long, and returns whether it is complete. */
  readonly ready: (maxMs: number) => Promise<boolean>;
  /**
   * Updates the index, for the next message or call: `soon` (the default) waits a moment, because the program may be about
   * to end. The next search reports what failed.
   */
  readonly prepare: (when?: "soon" | "now") => void;
  /**
   * Updates the index, and stores what notes need in a file of its own for `openStoredNotes`.
   * @param stamp what the topics and sessions look like now, to compare it later
   */
  readonly storeNotes: (stamp: string) => Promise<void>;
  /** Resolves once nothing is being written: for programs that end. */
  readonly settled: () => Promise<void>;
  /** Stops work in the background. */
  readonly stop: () => void;
}

/** A run that ends with its only answer is over by then, and has no next message. */
const PREPARE_MS = 250;

/**
 * Searches the topics of a project, and more. Opening it reads nothing: the first use finds the topics and loads the
 * search. The index is stored in the user's state directory, so that the next process does not read everything again.
 *
 * @example
 * import { openMemorySearch } from "@caliban/memory/node";
 *
 * const env = { HOME: process.cwd() };
 * const search = openMemorySearch({ workspace: process.cwd(), env });
 * const { topics } = await search.search({ query: "how do we deploy?" });
 * for (const { name, snippet } of topics) console.log(name, snippet.text);
 * await search.settled();
 */
export function openMemorySearch(input: OpenMemorySearchInput): OpenedMemorySearch {
  let opening: Promise<OpenedIndex> | undefined;
  let opened: OpenedIndex | undefined;
  let timer: NodeJS.Timeout | undefined;
  const findTopics = once(() => openTopicStore(input));
  const openOnce = once(async () => {
    const { openIndex } = await import("./open-index.ts");
    opened = await openIndex(input, await findTopics());
    return opened;
  });
  const open = (): Promise<OpenedIndex> => (opening = openOnce());
  const refresh = async (): Promise<void> => await (await open()).cache.refreshNotes();
  const finder = once(async (): Promise<NoteFinder> => {
    const { createNoteFinder } = await import("../notes/find-note.ts");
    const { sources, checkEvidence } = await open();
    return createNoteFinder({ ...input, sources, checkEvidence });
  });
  const start = (): void => void refresh().catch(() => undefined);
  return {
    search: async (request) => await (await open()).memory.search(request),
    note: async (request) => {
      const index = notesOf(opened);
      const found = index && (await (await finder()).find(index, request));
      if (found !== undefined || request.trigger.kind !== "message") return found;
      const { noteFromLines } = await import("./note-from-lines.ts");
      const isSuperseded = index && (await finder()).isSuperseded.bind(undefined, index);
      const topics = input.store ?? (await findTopics()).directory;
      return await noteFromLines(request, {
        topics,
        index: opened?.cache.lastKnown(0),
        isSuperseded,
      });
    },
    ready: async (maxMs) => {
      clearTimeout(timer);
      // The next search reports what failed.
      if (notesOf(opened) === undefined)
        await within(
          maxMs,
          refresh().catch(() => undefined),
        );
      return notesOf(opened) !== undefined;
    },
    prepare: (when = "soon") => {
      clearTimeout(timer);
      if (when === "now") start();
      else timer = setTimeout(start, PREPARE_MS).unref();
    },
    storeNotes: async (stamp) => {
      await refresh();
      await storeNotes(await open(), stamp);
    },
    settled: async () => await opened?.cache.settled(),
    stop: () => {
      clearTimeout(timer);
      opening?.then(({ cache }) => cache.stop()).catch(() => undefined);
    },
  };
}

async function storeNotes({ cache, notesFile }: OpenedIndex, stamp: string): Promise<void> {
  const { writeStoredNotes } = await import("./write-stored-notes.ts");
  // The index may have to forget the notes of before.
  await cache.settled();
  if (notesFile !== undefined) await writeStoredNotes(notesFile, cache.packedNotes(), stamp);
}

/** What may be shown as a note, once it is complete. */
function notesOf(opened: OpenedIndex | undefined): NoteIndex | undefined {
  return opened?.cache.hasNotes() === true ? opened.notes : undefined;
}

/** Waits for work, but not longer than this. */
async function within(maxMs: number, work: Promise<unknown>): Promise<void> {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timeout = setTimeout(resolve, maxMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timeout);
}
