import { withoutHookTexts } from "@caliban/common";
import { type FramedNote, framedNotes, recalledSlugs, withoutNotes } from "@caliban/memory";

/** Reads the notes of a conversation from its messages, in order: the nonces of later ones are in earlier messages. */
export interface NoteReader {
  /** The notes in what the program added to a message of the user. */
  readonly notesIn: (note: string) => readonly FramedNote[];
  /** The notes at the end of a tool's result, and the result without them. */
  readonly split: (result: string) => {
    readonly text: string;
    readonly notes: readonly FramedNote[];
  };
}

export function createNoteReader(): NoteReader {
  const nonces = new Set<string>();
  const isOwnNonce = (nonce: string): boolean => nonces.has(nonce);
  return {
    notesIn: (note) => {
      for (const nonce of noncesIn(note)) nonces.add(nonce);
      return framedNotes(note, isOwnNonce);
    },
    split: (result) => ({
      text: withoutNotes(result, isOwnNonce),
      notes: framedNotes(result, isOwnNonce),
    }),
  };
}

/** The nonces in a note. Only the program and hooks write the note of a message, so all others are ours. */
export function noncesIn(note: string): readonly string[] {
  return Array.from(
    withoutHookTexts(note).matchAll(/nonce="([\w-]{1,64})"/g),
    ([, nonce = ""]) => nonce,
  );
}

/** The topics in the note of a message: those in frames, and those that older versions named in a line. */
export function recalledTopics(note: string, notes: readonly FramedNote[]): readonly string[] {
  const slugs = notes.flatMap(
    ({ address }) => /^memory:\/\/topics\/(.+)$/.exec(address)?.[1] ?? [],
  );
  return [...recalledSlugs(note), ...slugs];
}

/** Where the memory in the texts of a conversation comes from, for a screen. */
export function createShownMemory(): {
  readonly inNote: (note: string) => readonly string[];
  readonly inResult: (result: string) => {
    readonly text: string;
    readonly sources: readonly string[];
  };
} {
  const reader = createNoteReader();
  return {
    inNote: (note) => [...recalledSlugs(note), ...reader.notesIn(note).map(({ source }) => source)],
    inResult: (result) => {
      const { text, notes } = reader.split(result);
      return { text, sources: notes.map(({ source }) => source) };
    },
  };
}
