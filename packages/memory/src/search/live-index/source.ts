import type { Evidence, TopicFields } from "../../topics/topic-fields.ts";
import type { SearchDocument } from "../engine/document.ts";
import type { FoundPassage, FoundTopic, FoundTurnText } from "../results/results.ts";

/**
 * A source of documents: topics, learned memory, sessions. A live index lists its entries and reads only those that are
 * new or changed.
 */
export interface SearchSource {
  /** Unique among the sources of an index. Part of every document id, so it must not contain a colon. */
  readonly name: string;
  /** The current entries. A failing entry must not affect the others. */
  readonly list: () => Promise<readonly SourceEntry[]>;
  /** The documents of an entry; `undefined` if it no longer exists. Never throws because of its content. */
  readonly read: (
    entry: SourceEntry,
    before: PreviousRead | undefined,
  ) => Promise<ReadEntry | undefined>;
  /** The current text of a document; `undefined` if it no longer exists. */
  readonly show: (id: string) => Promise<ShownDocument | undefined>;
  /** What was said in a turn, as it is, without a title; `undefined` if it no longer exists. */
  readonly quote?: ((id: string) => Promise<QuotedTurn | undefined>) | undefined;
}

/** A turn as it was said. */
interface QuotedTurn extends Pick<FoundPassage, "agent">, Pick<FoundTurnText, "role"> {
  readonly text: string;
}

/** A document with what decides whether it is shown as a note. */
export interface SourceDocument extends SearchDocument, Pick<TopicFields, "applies"> {
  /** For a turn: who spoke. Without it, the turn is searched but never shown as a note. */
  readonly said?:
    | {
        readonly role: "user" | "assistant";
        /** Whether the agent had used a tool since the user's last message. */
        readonly isTainted: boolean;
        /** The files that tools used since the turn before. */
        readonly touched: readonly string[];
      }
    | undefined;
}

/** The current text of a document, which an index does not store. */
export type ShownDocument =
  | (Pick<FoundTopic, "kind" | "name" | "address" | "type" | "description" | "author"> & {
      readonly text: string;
      /** Of a topic: the parts of files that support it. */
      readonly evidence?: readonly Evidence[] | undefined;
    })
  | (Pick<FoundPassage, "agent" | "title"> &
      Pick<FoundTurnText, "role"> & { readonly kind: "turn"; readonly text: string });

/** An entry of a source, usually a file. */
export interface SourceEntry {
  /** Unique in the source: a slug, the id of a session. */
  readonly key: string;
  /** Changes whenever the entry does: time, size and inode, and anything else its documents depend on. */
  readonly fingerprint: string;
}

/** The last read of an entry. */
interface PreviousRead {
  readonly fingerprint: string;
  /** The cursor that the source returned, such as how far it had read. */
  readonly cursor: string;
}

export interface ReadEntry {
  /** `add` keeps the earlier documents; `replace` drops them. Ids start with `<source>:<key>#`. */
  readonly change: "add" | "replace";
  readonly documents: readonly SourceDocument[];
  /** Passed to the next read. */
  readonly cursor: string;
  /** What was left out, as a full sentence. */
  readonly problem?: string | undefined;
}
