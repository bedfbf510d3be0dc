/** How much the pipeline reads, how fast, and at what cost. */
export interface PipelineSettings {
  /** Older sessions are not read. */
  readonly maxRolloutAgeDays: number;
  /** Sessions that were active more recently are left for later. */
  readonly minRolloutIdleHours: number;
  readonly maxRolloutsPerStartup: number;
  /** How many sessions one process reads at a time; unrelated to how many it reads in total. */
  readonly stage1Concurrency: number;
  readonly stage1LeaseSeconds: number;
  readonly phase2LeaseSeconds: number;
  /** The first delay after a failure; doubled each time, up to an hour. */
  readonly retryDelaySeconds: number;
  /** The maximum number of extractions given to a consolidation. */
  readonly maxRawMemories: number;
  /** The maximum size of a rendered session in tokens; never more than 70 % of the model's context window. */
  readonly rolloutTokenLimit: number;
  /** Input and output tokens per UTC day across all projects; 0 means no limit. */
  readonly dailyTokenBudget: number;
  /** A request without an answer after this time is aborted. */
  readonly requestTimeoutSeconds: number;
}

export const DEFAULT_PIPELINE_SETTINGS: PipelineSettings = {
  maxRolloutAgeDays: 30,
  minRolloutIdleHours: 12,
  maxRolloutsPerStartup: 64,
  stage1Concurrency: 4,
  stage1LeaseSeconds: 120,
  phase2LeaseSeconds: 180,
  retryDelaySeconds: 120,
  maxRawMemories: 200,
  rolloutTokenLimit: 32_000,
  dailyTokenBudget: 2_000_000,
  requestTimeoutSeconds: 300,
};
