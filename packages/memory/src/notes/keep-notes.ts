import type { NoteKeeper } from "../search/live-index/note-keeper.ts";
import { notesOf } from "./document-notes.ts";
import type { NoteIndex } from "./note-index.ts";
import { joinNotes, packNotes, unpackNotes } from "./note-record.ts";

/** Lets an index of notes follow a search index. */
export function keepNotes(notes: NoteIndex): NoteKeeper {
  return {
    pack: (documents, before) => {
      const found = notesOf(documents);
      return packNotes(before === "" ? found : joinNotes(unpackNotes(before), found));
    },
    set: (entry, packed) => notes.set(entry, unpackNotes(packed)),
    remove: (entry) => notes.remove(entry),
  };
}
