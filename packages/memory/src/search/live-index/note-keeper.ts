import type { SourceDocument } from "./source.ts";

/** Keeps what may be shown as a note, next to an index. The index stores a text for it with each entry. */
export interface NoteKeeper {
  /** What of an entry may be shown, as one text; `before` is the text of the earlier documents, if they are kept. */
  readonly pack: (documents: readonly SourceDocument[], before: string) => string;
  /** Replaces what is known of an entry, named `<source>:<key>`. */
  readonly set: (entry: string, packed: string) => void;
  readonly remove: (entry: string) => void;
}

/** For an index without notes. */
export const NO_NOTE_KEEPER: NoteKeeper = {
  pack: () => "",
  set: () => undefined,
  remove: () => undefined,
};
