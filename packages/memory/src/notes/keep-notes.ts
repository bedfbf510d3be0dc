import type { NoteKeeper } from "../search/live-index/note-keeper.ts";
import { notesOf } from "./document-notes.ts";
import type { EditableNoteIndex } from "./note-index.ts";
import { packNotes, unpackNotes } from "./note-record.ts";

/** Lets an index of notes follow a search index. */
export function keepNotes(notes: EditableNoteIndex): NoteKeeper {
  return {
    pack: (documents, before) => packNotes([...unpackNotes(before), ...notesOf(documents)]),
    set: (entry, packed) => notes.set(entry, unpackNotes(packed)),
    remove: (entry) => notes.remove(entry),
  };
}
