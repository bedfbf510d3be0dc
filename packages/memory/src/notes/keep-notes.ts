import type { NoteKeeper } from "../search/live-index/note-keeper.ts";
import { notesOf } from "./document-notes.ts";
import type { NoteIndex } from "./note-index.ts";
import { packNotes, unpackNotes } from "./note-record.ts";

/** Lets an index of notes follow a search index. */
export function keepNotes(notes: NoteIndex): NoteKeeper {
  return {
    pack: (documents, before) => packNotes([...unpackNotes(before), ...notesOf(documents)]),
    set: (entry, packed) => notes.set(entry, unpackNotes(packed)),
    remove: (entry) => notes.remove(entry),
  };
}
