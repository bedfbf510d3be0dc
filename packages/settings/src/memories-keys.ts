import type { RowOf } from "./setting-row.ts";

/** Whose sessions the background pipeline can learn from. */
export type MemorySourceName = "caliban" | "claude" | "codex";

/** Every setting of `[memories]` by its full key, with the type of its value. */
export interface MemoriesValues {
  readonly "memories.enabled": boolean;
  readonly "memories.sources": readonly MemorySourceName[];
  readonly "memories.summary_injection_token_limit": number;
  readonly "memories.max_rollout_age_days": number;
  readonly "memories.min_rollout_idle_hours": number;
  readonly "memories.max_rollouts_per_startup": number;
  readonly "memories.rollout_token_limit": number;
  readonly "memories.max_raw_memories": number;
  readonly "memories.daily_token_budget": number;
  readonly "memories.stage1_concurrency": number;
  readonly "memories.stage1_lease_seconds": number;
  readonly "memories.phase2_lease_seconds": number;
  readonly "memories.retry_delay_seconds": number;
}

const LEASE = { least: 10, most: 86_400 };

/** One row per setting of `[memories]`. A repository has no say in what is read, sent to a model or paid for. */
export const MEMORIES_KEYS: {
  readonly [Key in keyof MemoriesValues]: RowOf<MemoriesValues[Key]>;
} = {
  "memories.enabled": {
    kind: "switch",
    default: false,
    project: "none",
    doc: "Whether caliban learns from past sessions in the background, and shows new ones what it learned. It sends past sessions to your model, and that costs tokens.",
  },
  "memories.sources": {
    kind: "choices",
    choices: {
      caliban: "its own sessions",
      claude: "Claude Code's sessions in this workspace, read only",
      codex: "Codex's sessions in this workspace, read only",
    },
    default: ["caliban"],
    project: "none",
    doc: "Whose sessions are learned from. Your list replaces the default.",
  },
  "memories.summary_injection_token_limit": {
    kind: "count",
    range: { least: 1, most: 100_000 },
    default: 5000,
    project: "none",
    doc: "Most tokens of what was learned in the prompt of a new session. memory.cap_tokens_combined holds as well.",
  },
  "memories.max_rollout_age_days": {
    kind: "count",
    range: { least: 1, most: 36_500 },
    default: 30,
    project: "none",
    doc: "Older sessions are not learned from.",
  },
  "memories.min_rollout_idle_hours": {
    kind: "count",
    range: { least: 0, most: 36_500 },
    default: 12,
    project: "none",
    doc: "Sessions that were used more recently are left for later.",
  },
  "memories.max_rollouts_per_startup": {
    kind: "count",
    range: { least: 1, most: 10_000 },
    default: 64,
    project: "none",
    doc: "Most sessions that one start learns from, newest first.",
  },
  "memories.rollout_token_limit": {
    kind: "count",
    range: { least: 100, most: 10_000_000 },
    default: 32_000,
    project: "none",
    doc: "Most tokens of one session that are sent to the model, and never more than 70 % of what it can see.",
  },
  "memories.max_raw_memories": {
    kind: "count",
    range: { least: 1, most: 10_000 },
    default: 200,
    project: "none",
    doc: "Most sessions whose extracts go into one consolidation.",
  },
  "memories.daily_token_budget": {
    kind: "count",
    range: { least: 0, most: 1_000_000_000_000 },
    default: 2_000_000,
    project: "none",
    doc: "Tokens in and out that learning may use in a day (UTC), over all projects. 0 means no limit.",
  },
  "memories.stage1_concurrency": {
    kind: "count",
    range: { least: 1, most: 64 },
    default: 4,
    project: "none",
    doc: "How many sessions are read at a time.",
  },
  "memories.stage1_lease_seconds": {
    kind: "count",
    range: LEASE,
    default: 120,
    project: "none",
    doc: "How long a process that went silent keeps a session to itself.",
  },
  "memories.phase2_lease_seconds": {
    kind: "count",
    range: LEASE,
    default: 180,
    project: "none",
    doc: "How long a process that went silent keeps the consolidation of a project to itself.",
  },
  "memories.retry_delay_seconds": {
    kind: "count",
    range: { least: 1, most: 3600 },
    default: 120,
    project: "none",
    doc: "The first wait after a failure. It doubles each time, up to an hour.",
  },
};
