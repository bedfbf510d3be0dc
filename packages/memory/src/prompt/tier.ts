import { HOOK_TAG } from "@caliban/common";

/** The order of the tiers in the prompt, broadest first. */
export const SPLICE_ORDER = ["global", "project", "auto", "extra"] as const;

/** Whose memory a block is: the user's, the repository's, the agent's own topics, or what a caller adds. */
export type TierKind = (typeof SPLICE_ORDER)[number];

/** The order in which tiers are cut when the prompt is over budget. */
export const SHED_ORDER: readonly TierKind[] = ["extra", "auto", "project", "global"];

/** The tag that frames a block of each tier in the prompt. */
export const TIER_TAGS: Readonly<Record<TierKind, string>> = {
  global: "global-claude-md",
  project: "project-claude-md",
  auto: "auto-memory-index",
  extra: "memory-guidance",
};

/** Rules belong to the project tier but have a tag of their own. */
export const RULE_TAG = "project-rule";

/** The tag around a note at the end of a message or of a tool's result. */
export const NOTE_TAG = "memory-note";

/** Every tag that only caliban may write into a prompt; in a body each of them is escaped. */
export const OWN_TAGS: readonly string[] = [
  ...Object.values(TIER_TAGS),
  RULE_TAG,
  NOTE_TAG,
  HOOK_TAG,
];

/** The role of a file within its tier. */
export type FileKind = "instructions" | "rule" | "index" | "guidance";

/** Set for the index of topics that hold in every project, and for that of the topics that a team shares. */
export type IndexScope = "user" | "team";

/** One memory file as a block of the prompt. Its body has been prepared, so it cannot leave its frame. */
export interface Block {
  readonly tier: TierKind;
  readonly kind: FileKind;
  readonly path: string;
  readonly body: string;
  /** Index only: `user` if its topics hold in every project, `team` if a team shares them. */
  readonly scope?: IndexScope | undefined;
  /** Whether it is the user's own file in the repository, which the repository cannot cut. */
  readonly isLocal?: boolean | undefined;
  /** UTF-8 bytes that earlier stages cut off the end of the body. */
  readonly removedBytes: number;
  /** Index only: the number of topics, whether or not their lines are in the body. */
  readonly topicCount?: number;
}
