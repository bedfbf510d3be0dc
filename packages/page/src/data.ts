import type {
  Change,
  EvidenceState,
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
  readonly evidence: "none" | EvidenceState;
  readonly use: MemoryUse | undefined;
}

/** The topics that a topic names. */
export interface TopicLinks {
  /** Those in `[[links]]`, in the order of the text. */
  readonly links: readonly string[];
  readonly supersedes: readonly string[];
}

/** What is known about a topic besides its text. */
export interface TopicDetails {
  readonly use: MemoryUse | undefined;
  /** Each file that supports it. */
  readonly evidence: readonly { readonly path: string; readonly state: EvidenceState }[];
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
  /** Why it waits, for the user. */
  readonly why: string;
  readonly current: StoredTopic | undefined;
  /** The text to compare with, where it is not that of `current`: what the team has. */
  readonly before?: string | undefined;
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

/** The note that an agent would get. */
export interface FoundNote {
  readonly note: Note | undefined;
  /** Why no call gets a note, if a setting turned them off. */
  readonly off: string | undefined;
}

/** A problem of the topics, with its message as the user reads it. */
export interface HealthFinding extends Finding {
  readonly scope: PageScope;
}

/** A topic that no session used, although there were many since it was written. */
export interface UnusedTopic {
  readonly slug: string;
  readonly sessions: number;
}

/** How large something is, and how large it may be. */
export interface MemorySize {
  readonly label: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: "tokens" | "lines" | "bytes";
  /** What happens beyond the limit. */
  readonly effect: string;
}

/** One run of the pipeline that learns from past sessions. */
interface PipelineRun {
  readonly startedAtMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly sessionsRead: number;
  /** Why it failed, if it did. */
  readonly failure: string | undefined;
}

/** What learning costs, and how it is going. */
export interface PipelineFacts {
  readonly nowMs: number;
  /** Why nothing is learned; `undefined` if learning is on. */
  readonly off: string | undefined;
  /** Newest first. */
  readonly runs: readonly PipelineRun[];
  readonly tokensInAll: number;
  readonly tokensToday: number;
  /** By all projects together. */
  readonly dailyTokenBudget: number;
  /** Sessions that wait to be read. */
  readonly waiting: number;
  /** Each job that failed, and a new memory that was rejected. */
  readonly problems: readonly string[];
}

/** A generation of learned memory that is still on disk. */
export interface KnownGeneration {
  readonly number: number;
  /** The one it was made from, if that is still on disk. */
  readonly previous: number | undefined;
  readonly madeAtMs: number;
  /** Whether new sessions see it. */
  readonly isCurrent: boolean;
}

/** A file of a generation. */
export interface GenerationFile {
  readonly path: string;
  readonly content: string;
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
  readonly details: (address: TopicAddress) => Promise<TopicDetails>;
  /** The links of every topic of a scope, by its name. */
  readonly links: (scope: PageScope) => Promise<ReadonlyMap<string, TopicLinks>>;
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
  /** The generations of learned memory, newest first. */
  readonly generations: () => Promise<readonly KnownGeneration[]>;
  /** What sessions read of a generation. */
  readonly generation: (number: number) => Promise<readonly GenerationFile[]>;
  /** Makes the generation before this one, which must be the current one, the current one again. */
  readonly undoGeneration: (number: number) => Promise<ChangeOutcome>;
  readonly proposals: (scope: PageScope) => Promise<readonly WaitingProposal[]>;
  readonly accept: (request: AcceptRequest) => Promise<ChangeOutcome>;
  readonly reject: (request: {
    readonly scope: PageScope;
    readonly id: string;
  }) => Promise<ChangeOutcome>;
  readonly search: (query: string) => Promise<FoundMemory>;
  /** The note that an agent would get with the result of such a call. */
  readonly note: (trigger: PageTrigger) => Promise<FoundNote>;
  readonly findings: () => Promise<readonly HealthFinding[]>;
  readonly unused: () => Promise<readonly UnusedTopic[]>;
  readonly sizes: () => Promise<readonly MemorySize[]>;
  readonly pipeline: () => Promise<PipelineFacts>;
  /** Repairs what can be repaired without a decision. */
  readonly repair: (scope: PageScope) => Promise<ChangeOutcome>;
}
