import type { RowOf } from "./setting-row.ts";

/** The programs whose sessions the background pipeline can learn from. */
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

const LEASE = { min: 10, max: 86_400 };

/** One row per setting of `[memories]`. A repository cannot decide what is read, sent to a model or paid for. */
export const MEMORIES_KEYS: {
  readonly [Key in keyof MemoriesValues]: RowOf<MemoriesValues[Key]>;
} = {
  "memories.enabled": {
    kind: "switch",
    default: false,
    project: "none",
    doc: "Whether caliban learns from past sessions in the background and adds what it learned to new ones. This sends past sessions to your model, which costs tokens.",
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
    doc: "Which sessions to learn from. Your list replaces the default.",
  },
  "memories.summary_injection_token_limit": {
    kind: "count",
    range: { min: 1, max: 100_000 },
    default: 5000,
    project: "none",
    doc: "Maximum tokens of learned memory in the prompt of a new session. memory.cap_tokens_combined applies, too.",
  },
  "memories.max_rollout_age_days": {
    kind: "count",
    range: { min: 1, max: 36_500 },
    default: 30,
    project: "none",
    doc: "Sessions older than this are ignored.",
  },
  "memories.min_rollout_idle_hours": {
    kind: "count",
    range: { min: 0, max: 36_500 },
    default: 12,
    project: "none",
    doc: "Sessions that were used more recently are processed later.",
  },
  "memories.max_rollouts_per_startup": {
    kind: "count",
    range: { min: 1, max: 10_000 },
    default: 64,
    project: "none",
    doc: "Maximum number of sessions to process per start, newest first.",
  },
  "memories.rollout_token_limit": {
    kind: "count",
    range: { min: 100, max: 10_000_000 },
    default: 32_000,
    project: "none",
    doc: "Maximum tokens of one session to send to the model, and never more than 70 % of its context window.",
  },
  "memories.max_raw_memories": {
    kind: "count",
    range: { min: 1, max: 10_000 },
    default: 200,
    project: "none",
    doc: "Maximum number of sessions in one consolidation.",
  },
  "memories.daily_token_budget": {
    kind: "count",
    range: { min: 0, max: 1_000_000_000_000 },
    default: 2_000_000,
    project: "none",
    doc: "Input and output tokens that learning may use per day (UTC), for all projects together. 0 means no limit.",
  },
  "memories.stage1_concurrency": {
    kind: "count",
    range: { min: 1, max: 64 },
    default: 4,
    project: "none",
    doc: "How many sessions to read at a time.",
  },
  "memories.stage1_lease_seconds": {
    kind: "count",
    range: LEASE,
    default: 120,
    project: "none",
    doc: "How long an unresponsive process keeps its claim on a session.",
  },
  "memories.phase2_lease_seconds": {
    kind: "count",
    range: LEASE,
    default: 180,
    project: "none",
    doc: "How long an unresponsive process keeps its claim on the consolidation of a project.",
  },
  "memories.retry_delay_seconds": {
    kind: "count",
    range: { min: 1, max: 3600 },
    default: 120,
    project: "none",
    doc: "The first delay after a failure. It doubles each time, up to an hour.",
  },
};
