import { estimateTokens } from "@caliban/common";
import { fitText, MAX_NOTE_TOKENS } from "../../notes/fit-text.ts";
import type { IndexedNote } from "../../notes/note-index.ts";
import type { Note, NoteRequest } from "../../notes/note.ts";
import { searchTerms } from "../../search/analyzer/query-terms.ts";
import type { ReadNote } from "./read-note.ts";

/** A record to show, and how to find the one that it replaces. */
export interface Choice {
  readonly note: IndexedNote;
  readonly was: () => IndexedNote | undefined;
  readonly why: Note["why"];
  /** Whether it applies to a call whatever else is known about the task. */
  readonly isForced: boolean;
  /** What else was settled in the same passage, best first. */
  readonly companions: () => readonly IndexedNote[];
  readonly query: ReadonlyMap<string, number>;
}

/** No more memories are read for one note. */
export const MAX_READS = 6;

interface ReadingInput {
  readonly request: NoteRequest;
  readonly read: ReadNote;
}

/** The first choice that still exists, that the session may read, and that it was not told about. */
export async function firstReadable(
  choices: readonly Choice[],
  { request, read }: ReadingInput,
): Promise<Note | undefined> {
  let [reads, hasKnown] = [0, false];
  for (const choice of choices) {
    // After a memory that is known, the next best one needs a reason of its own.
    if (reads >= MAX_READS) return undefined;
    if (hasKnown && !choice.isForced) continue;
    reads++;
    const shown = await read(choice.note, choice);
    if (shown === undefined) continue;
    const { text, source } = shown;
    if (request.isKnown(source.address)) hasKnown = true;
    else if (request.isReadable(source.address)) {
      const was = await wasOf(choice, text, { request, read });
      return { text, source, ...(was === undefined ? {} : { was }), why: choice.why };
    }
  }
  return undefined;
}

/** Whether a memory only repeats an older one, as a topic does whose text is from a message. */
function saysNothingNew(text: string, older: string): boolean {
  const known = new Set(searchTerms(older));
  return searchTerms(text).every((term) => known.has(term));
}

const MIN_WAS_TOKENS = 8;

/** What held before, if there is space for it. */
async function wasOf(
  { was, note, query }: Choice,
  text: string,
  { request, read }: ReadingInput,
): Promise<Note["was"]> {
  const space = MAX_NOTE_TOKENS - estimateTokens(text);
  if (note.atMs === undefined || space < MIN_WAS_TOKENS) return undefined;
  const older = was();
  const before = older && (await read(older, { query }));
  if (before === undefined || !request.isReadable(before.source.address)) return undefined;
  if (saysNothingNew(text, before.plain)) return undefined;
  const fitted = fitText(before.plain, space);
  return estimateTokens(fitted) > space ? undefined : { text: fitted, untilMs: note.atMs };
}
