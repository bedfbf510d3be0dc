import type { TopicSlug } from "../topics/slug.ts";
import type { Author } from "./topic-store.ts";

/** A topic file of another program. */
export interface ImportFile {
  /** The file name without its extension. */
  readonly name: string;
  /** The whole file. */
  readonly text: string;
  /** Its path, for the history; not recorded if left out. */
  readonly path?: string | undefined;
}

export interface ImportTopicsInput {
  readonly files: readonly ImportFile[];
  /** The program that wrote the files, in one word. It becomes part of an alternative name if a name is taken. */
  readonly agent?: string | undefined;
  /** The index of the other program. An empty store takes it over completely; any other store adds what is new. */
  readonly index?: string | undefined;
  /** Returns the result without writing anything. */
  readonly isPreview?: boolean;
  readonly author: Author;
}

export interface ImportedTopics {
  readonly topics: readonly ImportedTopic[];
  /** The result for the index; `undefined` if there was none. */
  readonly index?: ImportedIndex | undefined;
  /** The change in the history; a single undo takes the whole import back. */
  readonly change?: string | undefined;
}

/** `taken`: copied completely. `merged`: new parts were added. `known`: nothing was new. */
export type ImportedIndex =
  | { readonly kind: "taken" | "merged" | "known" }
  | { readonly kind: "refused"; readonly message: string };

/** The result for a file; `name` is its own name, `slug` its name in this store. */
export type ImportedTopic =
  | {
      readonly kind: "imported";
      readonly name: string;
      readonly slug: TopicSlug;
      /** Whether another topic has its name already. */
      readonly isNameTaken: boolean;
    }
  /** Nothing is overwritten or imported twice. */
  | {
      readonly kind: "exists";
      readonly name: string;
      readonly slug: TopicSlug;
      /** Whether the text is still the same, or was changed here after an earlier import. */
      readonly isSame: boolean;
    }
  | { readonly kind: "refused"; readonly name: string; readonly message: string };
