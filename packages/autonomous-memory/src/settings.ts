/** How much the pipeline reads, at what pace, and at what cost. */
export interface PipelineSettings {
  /** Older sessions are not read. */
  readonly maxRolloutAgeDays: number;
  /** Sessions that were used more recently are left for later. */
  readonly minRolloutIdleHours: number;
  readonly maxRolloutsPerStartup: number;
  /** How many sessions are read at a time in one process; it has nothing to do with how many are read in all. */
  readonly stage1Concurrency: number;
  readonly stage1LeaseSeconds: number;
  readonly phase2LeaseSeconds: number;
  /** The first wait after a failure; doubled each time, up to an hour. */
  readonly retryDelaySeconds: number;
  /** Most extractions that a consolidation is given. */
  readonly maxRawMemories: number;
  /** Most tokens of a rendered session; never more than 70 % of the model's window. */
  readonly rolloutTokenLimit: number;
  /** Tokens in and out of a UTC day, over all projects; 0 means no limit. */
  readonly dailyTokenBudget: number;
  /** After so long without an answer, a request is given up. */
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
