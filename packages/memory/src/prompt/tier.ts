/** Broad to narrow: the order in which tiers stand in the prompt. */
export const SPLICE_ORDER = ["global", "project", "auto", "extra"] as const;

/** Whose memory a block is: the person's, the repository's, the agent's own notes, or what a caller adds. */
export type TierKind = (typeof SPLICE_ORDER)[number];

/** Who gives way first when the prompt is over budget. */
export const SHED_ORDER: readonly TierKind[] = ["extra", "auto", "project", "global"];

/** The tag that frames a block of each tier in the prompt. */
export const TIER_TAGS: Readonly<Record<TierKind, string>> = {
  global: "global-claude-md",
  project: "project-claude-md",
  auto: "auto-memory-index",
  extra: "memory-guidance",
};

/** The tag of a rule, whose tier has another one. */
export const RULE_TAG = "project-rule";

/** Every tag that only caliban may write into a prompt; in a body each of them is made harmless. */
export const OWN_TAGS: readonly string[] = [...Object.values(TIER_TAGS), RULE_TAG];

/** What a file is to its tier. */
export type FileKind = "instructions" | "rule" | "index" | "guidance";

/** One memory file on its way into the prompt. */
export interface Block {
  readonly tier: TierKind;
  readonly kind: FileKind;
  readonly path: string;
  readonly body: string;
  /** UTF-8 bytes of the body that earlier stages cut off its end. */
  readonly removedBytes: number;
  /** Of the index: how many topics there are, in the body or not. */
  readonly topicCount?: number;
}
