import type {
  Change,
  Finding,
  MemoryOrigin,
  MemoryUse,
  Note,
  Proposal,
  Receipt,
  StoredTopic,
  TopicSummary,
  TopicType,
} from "@caliban/memory";
import type { FoundMemory } from "@caliban/memory/search";

/** Whose topics: those of this project, or those of the user. */
export type PageScope = "project" | "user";

export const PAGE_SCOPES: readonly PageScope[] = ["project", "user"];

/** A topic by its name. */
export interface TopicAddress {
  readonly scope: PageScope;
  readonly slug: string;
}

/** A topic in the list, with what is known about it. */
export interface KnownTopic extends Pick<
  TopicSummary,
  "slug" | "description" | "type" | "updatedMs" | "bytes"
> {
  readonly origin: MemoryOrigin | undefined;
  /** Whether the files that support it still do; `none` if it names no files. */
  readonly evidence: "none" | "ok" | "changed";
  readonly use: MemoryUse | undefined;
}

/** What became of a change. A conflict has the topic as it is stored. */
export type ChangeOutcome =
  | {
      readonly kind: "done";
      /** What happened, for the user. */
      readonly message: string;
      /** The change in the history, to undo it. */
      readonly change?: string | undefined;
      /** The name of the topic, if it may be another one now. */
      readonly slug?: string | undefined;
    }
  | { readonly kind: "conflict"; readonly current: StoredTopic | undefined }
  /** Nothing was changed, for this reason. */
  | { readonly kind: "refused"; readonly message: string };

export interface SaveRequest extends TopicAddress {
  /** The whole file. */
  readonly text: string;
  /** The version that the edit started from; without it, a new topic is created. */
  readonly ifMatch: string | undefined;
}

/** A proposal, and the topic that it would change. */
export interface WaitingProposal {
  readonly proposal: Proposal;
  readonly current: StoredTopic | undefined;
}

/** What the user changed in a proposal before accepting it. */
export interface EditedProposal {
  readonly description: string;
  readonly type: TopicType;
  readonly body: string;
}

export interface AcceptRequest {
  readonly scope: PageScope;
  readonly id: string;
  /** Accepts it although the topic changed since. */
  readonly isForced: boolean;
  readonly edited: EditedProposal | undefined;
}

/** A file or a command that a note may be about. */
export type PageTrigger =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "command"; readonly command: string };

export interface Health {
  readonly findings: readonly (Finding & { readonly scope: PageScope })[];
  /** Topics that no session used for a long time. */
  readonly unused: readonly string[];
}

export interface PageSubject {
  readonly version: string;
  /** The path of the workspace, as the user knows it. */
  readonly workspace: string;
  /** Why nothing can be changed; `undefined` if it can. */
  readonly readOnly: string | undefined;
}

/** Everything that the page shows and changes. Reads are fresh every time. */
export interface MemoryPageData {
  readonly about: () => Promise<PageSubject>;
  /** A path as the user knows it. */
  readonly displayPath: (path: string) => string;
  readonly prompt: () => Promise<{ readonly receipt: Receipt; readonly prefix: string }>;
  readonly topics: (scope: PageScope) => Promise<readonly KnownTopic[]>;
  readonly topic: (address: TopicAddress) => Promise<StoredTopic | undefined>;
  readonly save: (request: SaveRequest) => Promise<ChangeOutcome>;
  readonly rename: (request: TopicAddress & { readonly to: string }) => Promise<ChangeOutcome>;
  /** Moves a topic to the other scope. */
  readonly move: (address: TopicAddress) => Promise<ChangeOutcome>;
  readonly remove: (request: TopicAddress & { readonly ifMatch: string }) => Promise<ChangeOutcome>;
  /** The changes of a scope, newest first. */
  readonly changes: (scope: PageScope) => Promise<readonly Change[]>;
  readonly undo: (request: {
    readonly scope: PageScope;
    readonly id: string;
  }) => Promise<ChangeOutcome>;
  readonly proposals: (scope: PageScope) => Promise<readonly WaitingProposal[]>;
  readonly accept: (request: AcceptRequest) => Promise<ChangeOutcome>;
  readonly reject: (request: {
    readonly scope: PageScope;
    readonly id: string;
  }) => Promise<ChangeOutcome>;
  readonly search: (query: string) => Promise<FoundMemory>;
  /** The note that an agent would get with the result of such a call. */
  readonly note: (trigger: PageTrigger) => Promise<Note | undefined>;
  readonly health: () => Promise<Health>;
  /** Repairs what can be repaired without a decision. */
  readonly repair: (scope: PageScope) => Promise<ChangeOutcome>;
}
