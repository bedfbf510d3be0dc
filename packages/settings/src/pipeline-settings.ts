import type { MemoriesValues, MemorySourceName } from "./keys/memories-keys.ts";

/** The settings of the pipeline in `@caliban/autonomous-memory`, and of its callers. */
export interface PipelineSettingValues {
  readonly enabled: boolean;
  readonly sources: readonly MemorySourceName[];
  readonly summaryInjectionTokenLimit: number;
  readonly maxRolloutAgeDays: number;
  readonly minRolloutIdleHours: number;
  readonly maxRolloutsPerStartup: number;
  readonly stage1Concurrency: number;
  readonly stage1LeaseSeconds: number;
  readonly phase2LeaseSeconds: number;
  readonly retryDelaySeconds: number;
  readonly maxRawMemories: number;
  readonly rolloutTokenLimit: number;
  readonly dailyTokenBudget: number;
}

/** The settings of `[memories]` for the pipeline. */
export function pipelineSettings(values: MemoriesValues): PipelineSettingValues {
  return {
    enabled: values["memories.enabled"],
    sources: values["memories.sources"],
    summaryInjectionTokenLimit: values["memories.summary_injection_token_limit"],
    maxRolloutAgeDays: values["memories.max_rollout_age_days"],
    minRolloutIdleHours: values["memories.min_rollout_idle_hours"],
    maxRolloutsPerStartup: values["memories.max_rollouts_per_startup"],
    stage1Concurrency: values["memories.stage1_concurrency"],
    stage1LeaseSeconds: values["memories.stage1_lease_seconds"],
    phase2LeaseSeconds: values["memories.phase2_lease_seconds"],
    retryDelaySeconds: values["memories.retry_delay_seconds"],
    maxRawMemories: values["memories.max_raw_memories"],
    rolloutTokenLimit: values["memories.rollout_token_limit"],
    dailyTokenBudget: values["memories.daily_token_budget"],
  };
}
