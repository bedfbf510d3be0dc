import type { TopicSlug } from "../topics/slug.ts";
import type { ParsedTopic, TopicProblem } from "../topics/parse-topic.ts";
import type { TopicType } from "../topics/topic-type.ts";

/**
 * A place that keeps topics and the index of them. Every implementation passes the suite of
 * `@caliban/memory/testing`.
 *
 * Names are checked here, at the border: a name that cannot be one is a MemoryError `INVALID_SLUG`.
 */
export interface TopicStore {
  /** Every topic, newest first. One that cannot be read is a problem, and takes none of the others down. */
  readonly list: () => Promise<TopicList>;
  /** `undefined` when there is no such topic. */
  readonly read: (name: string) => Promise<StoredTopic | undefined>;
  /** Writes the topic and its index line in one step. */
  readonly write: (input: WriteTopicInput) => Promise<WriteTopicResult>;
  /** Puts the text of a whole file, header and all, in place of a topic's, or makes a topic of it. */
  readonly edit: (input: EditTopicInput) => Promise<EditTopicResult>;
  /** Gives a topic another name, and points the links of the others to it. */
  readonly rename: (input: RenameTopicInput) => Promise<RenameTopicResult>;
  readonly remove: (input: RemoveTopicInput) => Promise<RemoveTopicResult>;
  /** The index as it should be: with a line for every topic, and none for those that are gone. */
  readonly index: () => Promise<string>;
  /** Makes the index lines anew from the topics; what a person wrote stays. */
  readonly rebuildIndex: () => Promise<RebuiltIndex>;
}

export interface TopicList {
  readonly topics: readonly TopicSummary[];
  readonly problems: readonly UnreadableTopic[];
}

/** What can be told of a topic without its body. */
export interface TopicSummary {
  readonly slug: TopicSlug;
  readonly description: string;
  readonly type: TopicType | undefined;
  readonly updatedMs: number;
  readonly bytes: number;
  readonly problems: readonly TopicProblem[];
}

export interface UnreadableTopic {
  readonly slug: TopicSlug;
  readonly message: string;
}

export interface StoredTopic {
  readonly slug: TopicSlug;
  /** Changes with every change of the file; to be handed back as `ifMatch`. */
  readonly hash: string;
  /** The file as it is. */
  readonly text: string;
  readonly topic: ParsedTopic;
  readonly updatedMs: number;
}

/** Who writes, and what led to it. */
export interface Author {
  readonly who: "agent" | "person";
  readonly session?: string | undefined;
  /** The tools that had been used when the thought came up. */
  readonly after?: readonly string[] | undefined;
}

export interface WriteTopicInput {
  readonly name: string;
  readonly description: string;
  readonly type: TopicType;
  readonly body: string;
  /** The hash of what is to be replaced. Without it, only a new topic is written. */
  readonly ifMatch?: string | undefined;
  /** Replaces whatever is there: for people, who know what they do. */
  readonly replace?: boolean;
  /** Writes even what looks like a secret: for people only. */
  readonly allowSecrets?: boolean;
  readonly author: Author;
}

export interface EditTopicInput {
  readonly name: string;
  /** The whole file. */
  readonly text: string;
  /** The hash of the file that the edit began with. Without it, only a new topic is made. */
  readonly ifMatch?: string | undefined;
  /** Adds what the header lacks: the name, a description from the first line, and this type. */
  readonly fallbackType?: TopicType | undefined;
  readonly allowSecrets?: boolean;
  /** Takes a file with a broken header as it is. */
  readonly allowMalformed?: boolean;
  readonly author: Author;
  /** What the history calls it; a new topic is a write. */
  readonly action?: "edit" | "fix";
}

export interface RenameTopicInput {
  readonly from: string;
  readonly to: string;
  readonly author: Author;
}

export interface RemoveTopicInput {
  readonly name: string;
  /** Without it, whatever is there goes. */
  readonly ifMatch?: string | undefined;
  readonly author: Author;
}

/** What a write came to. A refusal carries what is there now, so that the two can be merged. */
export type WriteTopicResult =
  | {
      readonly kind: "written";
      readonly slug: TopicSlug;
      readonly isNew: boolean;
      readonly hash: string;
      readonly indexLine: string;
      /** When the index is nearly full or over its limit. */
      readonly warning?: string | undefined;
      /** Under which the change stands in the history, where there is one. */
      readonly change?: string | undefined;
    }
  | Conflict
  | { readonly kind: "missing"; readonly slug: TopicSlug };

/** What an edit came to. */
export type EditTopicResult =
  | {
      readonly kind: "edited";
      readonly slug: TopicSlug;
      readonly isNew: boolean;
      /** As it is now. */
      readonly topic: StoredTopic;
      /** When the index is nearly full or over its limit. */
      readonly warning?: string | undefined;
      readonly change?: string | undefined;
    }
  | { readonly kind: "unchanged"; readonly slug: TopicSlug }
  | Conflict
  | { readonly kind: "missing"; readonly slug: TopicSlug };

export interface Conflict {
  readonly kind: "conflict";
  /** Whether no hash was given, or one of another text. */
  readonly reason: "exists" | "changed";
  readonly current: StoredTopic;
}

export type RenameTopicResult =
  | {
      readonly kind: "renamed";
      readonly slug: TopicSlug;
      /** The topics whose links were changed. */
      readonly relinked: readonly TopicSlug[];
      readonly change?: string | undefined;
    }
  | Conflict
  | { readonly kind: "missing"; readonly slug: TopicSlug };

export type RemoveTopicResult =
  | { readonly kind: "removed"; readonly topic: StoredTopic; readonly change?: string | undefined }
  | Conflict
  | { readonly kind: "missing"; readonly slug: TopicSlug };

export interface RebuiltIndex {
  readonly text: string;
  readonly added: readonly TopicSlug[];
  readonly dropped: readonly TopicSlug[];
  readonly isChanged: boolean;
}
