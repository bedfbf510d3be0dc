import type { ResourceLimits } from "node:worker_threads";

/**
 * What the pipeline's thread may take. Young objects get little room: a transcript is read once and thrown away, and with
 * the usual room the process holds twice the memory for it without being faster.
 */
export const THREAD_LIMITS: ResourceLimits & { readonly maxOldGenerationSizeMb: number } = {
  maxOldGenerationSizeMb: 512,
  maxYoungGenerationSizeMb: 8,
};
