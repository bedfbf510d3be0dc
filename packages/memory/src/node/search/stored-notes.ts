import { basename } from "node:path";
import type { NoteIndex } from "../../notes/note-index.ts";
import type { Note, NoteRequest } from "../../notes/note.ts";
import { taskKind } from "../../notes/task-kind.ts";
import { openPackedNotes } from "../../notes/packed/open-packed-notes.ts";
import { searchTerms } from "../../search/analyzer/query-terms.ts";
import { USER_TOPICS } from "../../search/live-index/topic-document.ts";
import type { IsForgotten } from "../../search/memory-search.ts";
import { once } from "../../store/lazy-store.ts";
import type { TopicStore } from "../../store/topic-store.ts";
import type { MemoryLocations } from "../../project/locations.ts";
import { createNoteFinder, type NoteFinderInput, type ShownSource } from "../notes/find-note.ts";
import { locateTopics, type OpenTopicStoreInput } from "../locate-topics.ts";
import { openFileReader } from "./file-reader.ts";
import { storedNotesFile } from "./stored-index.ts";
import { topicDirectorySource } from "./topic-directory.ts";

export interface OpenStoredNotesInput extends OpenTopicStoreInput {
  /** What was searched in addition to topics. Called when one of their texts is needed. */
  readonly sources?: ((projectHome: string) => Promise<readonly ShownSource[]>) | undefined;
  /** The store of the topics, if they are not in files. Called when one of them is needed. */
  readonly store?: (() => Promise<TopicStore>) | undefined;
  /** Whether something was forgotten, which is not shown. */
  readonly isForgotten?: IsForgotten | undefined;
  /** Whether topics about the user are shown, too; false by default. */
  readonly userTopics?: boolean | undefined;
}

/** Notes that another process has stored. */
export interface StoredNotes {
  /** The memory that applies to a message or a call, if any, in its words of now. */
  readonly note: (request: NoteRequest) => Promise<Note | undefined>;
  /** The topic that a message names, if any. Needs no stored notes. */
  readonly namedTopic: (request: NoteRequest) => Promise<Note | undefined>;
  /** The words of a text that some memory has, so that nothing else of it has to be kept for a later request. */
  readonly keepKnown: (text: string) => string;
  /** `undefined` if there are none that can be used. */
  readonly stored: StoredState | undefined;
  /** Where they are, and the topics. All are `undefined` without a home directory. */
  readonly locations: Pick<
    MemoryLocations,
    "projectHome" | "memoryDirectory" | "userMemoryDirectory"
  >;
}

interface StoredState {
  /** What the notes were made from. */
  readonly stamp: string;
  /** When they were stored, in milliseconds since 1970. */
  readonly atMs: number;
  /** How many memories may be shown. */
  readonly size: number;
}

/** How long the search for evidence that moved may take. */
const MAX_EVIDENCE_MS = 10;

/**
 * Opens the notes that `storeNotes` of a search has stored, for a process that is too short to load the index. Nothing is
 * written. Without stored notes, a message still finds the topics that it names.
 *
 * @example
 * import { openMemorySearch, openStoredNotes } from "@caliban/memory/node";
 *
 * const project = { workspace: process.cwd(), env: { HOME: process.cwd() } };
 * await openMemorySearch(project).storeNotes("first");
 * const { stored } = await openStoredNotes(project);
 * console.log(stored?.stamp); // first
 */
export async function openStoredNotes(input: OpenStoredNotesInput): Promise<StoredNotes> {
  const { request, locations } = await locateTopics(input);
  const file = locations.projectHome && storedNotesFile(request, basename(locations.projectHome));
  const read = file === undefined ? undefined : openFileReader(file);
  const opened = read && openPackedNotes(read.read);
  const finder = once(async () =>
    createNoteFinder({
      ...finderSources(input, locations),
      isForgotten: input.isForgotten,
      checkEvidence: async (evidence) => {
        const { createEvidenceCheck } = await import("../evidence/check-evidence.ts");
        const { stateOf } = createEvidenceCheck({ root: request.workspace.root });
        return await stateOf(evidence, MAX_EVIDENCE_MS);
      },
    }),
  );
  const index = opened?.index;
  const namedTopic: StoredNotes["namedTopic"] = async (noteRequest) => {
    const { noteFromLines } = await import("./note-from-lines.ts");
    const topics = input.store === undefined ? locations.memoryDirectory : await input.store();
    const isSuperseded = index && (await finder()).isSuperseded.bind(undefined, index);
    if (topics === undefined) return undefined;
    return await noteFromLines(noteRequest, { topics, isSuperseded });
  };
  return {
    note: async (noteRequest) => {
      const found = index && (await (await finder()).find(index, noteRequest));
      if (found !== undefined || noteRequest.trigger.kind !== "message") return found;
      return (opened?.size ?? 0) > MAX_NAMED ? undefined : await namedTopic(noteRequest);
    },
    namedTopic,
    keepKnown: (text) =>
      index === undefined
        ? ""
        : text
            .split(/\s+/)
            .filter((word) => isKnownWord(word, index) || taskKind(word) !== undefined)
            .join(" "),
    stored: opened && {
      stamp: opened.stamp,
      atMs: read?.modifiedMs ?? 0,
      size: opened.size,
    },
    locations,
  };
}

/** Listing the names of more topics takes longer than a message may wait, and recall ignores them anyway. */
const MAX_NAMED = 1_000;

function isKnownWord(word: string, { rarity }: NoteIndex): boolean {
  const terms = searchTerms(word);
  return terms.length > 0 && terms.every((term) => rarity(term) <= 1);
}

/** The sources that the notes were made from, as far as they may be shown now. */
function finderSources(
  { sources, store, userTopics = false }: OpenStoredNotesInput,
  { memoryDirectory, userMemoryDirectory, projectHome }: MemoryLocations,
): Pick<NoteFinderInput, "sources" | "moreSources"> {
  const ofProject =
    memoryDirectory === undefined || store !== undefined
      ? []
      : [topicDirectorySource(memoryDirectory)];
  const ofUser =
    userMemoryDirectory === undefined || !userTopics
      ? []
      : [topicDirectorySource(userMemoryDirectory, { name: USER_TOPICS })];
  return {
    sources: [...ofProject, ...ofUser],
    moreSources: async () => {
      const more = projectHome === undefined ? [] : ((await sources?.(projectHome)) ?? []);
      if (store === undefined) return more;
      const { storeSource } = await import("../../search/open-store-search.ts");
      return [storeSource(await store()), ...more];
    },
  };
}
