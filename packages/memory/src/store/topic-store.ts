import type { Diagnostic } from "@caliban/common";
import type { ParsedTopic, TopicProblem } from "../topics/parse-topic.ts";
import type { MemoryOrigin, TopicFields } from "../topics/topic-fields.ts";
import type { TopicSlug } from "../topics/slug.ts";
import type { TopicType } from "../topics/topic-type.ts";
import type { ImportedTopics, ImportTopicsInput } from "./imported-topics.ts";
import type { TopicHistory } from "./topic-history.ts";

/** Whose memory a store has. */
export type Scope = "project" | "user" | "team";

/**
 * Stores topics, their index and their history. `createTopicStore` makes one from any backend; every store passes
 * `topicStoreCases` in `@caliban/memory/testing`.
 *
 * Each method validates the names it is given: an invalid one is a MemoryError `INVALID_SLUG`.
 */
export interface TopicStore extends TopicHistory {
  readonly scope: Scope;
  /** All topics, newest first. An unreadable topic is reported as a problem and does not affect the others. */
  readonly list: () => Promise<TopicList>;
  /** `undefined` if there is no such topic. */
  readonly read: (name: string) => Promise<StoredTopic | undefined>;
  /** The topics with exactly these names, in few requests. Missing and unreadable ones are left out. */
  readonly readMany: (names: readonly string[]) => Promise<ReadonlyMap<string, StoredTopic>>;
  /** Writes a topic and its index line in one step. */
  readonly write: (input: WriteTopicInput) => Promise<WriteTopicResult>;
  /** Replaces the whole file of a topic, header included, or creates a topic from it. */
  readonly edit: (input: EditTopicInput) => Promise<EditTopicResult>;
  /** Renames a topic and updates the links to it in other topics. */
  readonly rename: (input: RenameTopicInput) => Promise<RenameTopicResult>;
  readonly remove: (input: RemoveTopicInput) => Promise<RemoveTopicResult>;
  /** The up-to-date index: one line for every topic, and none for topics that no longer exist. */
  readonly index: () => Promise<string>;
  /** The index as it is stored, which may be out of date; `undefined` if there is none. */
  readonly storedIndex: () => Promise<string | undefined>;
  /** Rebuilds the index lines from the topics. Hand-written text is kept. */
  readonly rebuildIndex: () => Promise<RebuiltIndex>;
  /** Replaces the index by what a function returns for it; the function may be called several times. */
  readonly editIndex: (change: (text: string) => Promise<string>) => Promise<void>;
  /** Imports files of another program; existing topics are kept. */
  readonly importTopics: (input: ImportTopicsInput) => Promise<ImportedTopics>;
}

export interface TopicList {
  readonly topics: readonly TopicSummary[];
  readonly problems: readonly UnreadableTopic[];
}

/** A topic without its body. */
export interface TopicSummary {
  readonly slug: TopicSlug;
  readonly description: string;
  readonly type: TopicType | undefined;
  readonly updatedMs: number;
  readonly bytes: number;
  /** As in `StoredTopic`; left out where finding it would mean reading the whole text. */
  readonly hash?: string | undefined;
  readonly problems: readonly TopicProblem[];
}

export interface UnreadableTopic extends Diagnostic<"UNREADABLE"> {
  readonly slug: TopicSlug;
}

export interface StoredTopic {
  readonly slug: TopicSlug;
  /** An opaque version, another one after every change. Pass it back as `ifMatch`. */
  readonly hash: string;
  /** The whole file. */
  readonly text: string;
  readonly topic: ParsedTopic;
  readonly updatedMs: number;
}

/** The author of a change, and its context. */
export interface Author {
  readonly who: "agent" | "person";
  /** Which agent, if a store is used by several. */
  readonly agent?: string | undefined;
  /** Which user, if a store is used by several. */
  readonly user?: string | undefined;
  readonly session?: string | undefined;
  /** The tools the agent had used before it wrote the topic. */
  readonly after?: readonly string[] | undefined;
  /** Where the text comes from. Unknown if left out. */
  readonly origin?: MemoryOrigin | undefined;
}

/** A field that is left out keeps the value it has in the topic that is replaced; an empty list removes it. */
export interface WriteTopicInput extends Pick<
  TopicFields,
  "applies" | "evidence" | "supersedes" | "expect"
> {
  readonly name: string;
  readonly description: string;
  readonly type: TopicType;
  readonly body: string;
  /** The version of the topic to replace. Without it, only a new topic is written. */
  readonly ifMatch?: string | undefined;
  /** Replaces an existing topic without checking its version. Only for users. */
  readonly replace?: boolean;
  /** Accepts text that looks like a secret. Only for users. */
  readonly allowSecrets?: boolean;
  readonly author: Author;
}

export interface EditTopicInput {
  readonly name: string;
  /** The whole file. */
  readonly text: string;
  /** The version of the topic that the edit started from. Without it, only a new topic is created. */
  readonly ifMatch?: string | undefined;
  /** Completes the header: the name, a description taken from the first line, and this type. */
  readonly fallbackType?: TopicType | undefined;
  readonly allowSecrets?: boolean;
  /** Accepts a file with a broken header. */
  readonly allowMalformed?: boolean;
  readonly author: Author;
  /** The action recorded in the history. A new topic is recorded as a write. */
  readonly action?: "edit" | "fix";
  /** The address that the topic is moved from, for the history. */
  readonly moved?: string | undefined;
}

export interface RenameTopicInput {
  readonly from: string;
  readonly to: string;
  /** The version of the topic to rename. Without it, the topic is renamed whatever its content is. */
  readonly ifMatch?: string | undefined;
  readonly author: Author;
}

export interface RemoveTopicInput {
  readonly name: string;
  /** Without it, the topic is removed whatever its content is. */
  readonly ifMatch?: string | undefined;
  readonly author: Author;
  /** The address that the topic is moved to, for the history. */
  readonly moved?: string | undefined;
}

/** The result of a write. A conflict includes the current topic, so that the caller can merge the two. */
export type WriteTopicResult =
  | {
      readonly kind: "written";
      readonly slug: TopicSlug;
      readonly isNew: boolean;
      readonly hash: string;
      readonly indexLine: string;
      /** Set when the index is nearly full or over its limit. */
      readonly warning?: string | undefined;
      /** The id of the change in the history. */
      readonly change?: string | undefined;
    }
  | Conflict
  | { readonly kind: "missing"; readonly slug: TopicSlug };

export type EditTopicResult =
  | {
      readonly kind: "edited";
      readonly slug: TopicSlug;
      readonly isNew: boolean;
      /** The topic after the edit. */
      readonly topic: StoredTopic;
      /** Set when the index is nearly full or over its limit. */
      readonly warning?: string | undefined;
      readonly change?: string | undefined;
    }
  | { readonly kind: "unchanged"; readonly slug: TopicSlug }
  | Conflict
  | { readonly kind: "missing"; readonly slug: TopicSlug };

export interface Conflict {
  readonly kind: "conflict";
  /** `exists`: no version was given. `changed`: the version is that of another text. */
  readonly reason: "exists" | "changed";
  readonly current: StoredTopic;
}

export type RenameTopicResult =
  | {
      readonly kind: "renamed";
      readonly slug: TopicSlug;
      /** The topics whose links were updated. */
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
