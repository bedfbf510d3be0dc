import type { CompletionModel, CompletionRequest } from "../complete.ts";
import { consolidateByRules } from "./consolidate-by-rules.ts";
import { extractByRules } from "./extract-by-rules.ts";

/** Larger than anything that is asked: rules read the task and no prompt. */
const WINDOW_TOKENS = 100_000_000;

/** Answers without a model, the same for the same task: enough to learn what a person says in so many words. */
export function createRuleModel(): CompletionModel {
  return {
    complete: async ({ task }) => ({
      text: answerTo(task),
      usage: { inputTokens: 0, outputTokens: 0 },
      finishReason: "stop",
    }),
    contextWindow: () => WINDOW_TOKENS,
    extractor: { id: "rules/1", replaces: [] },
    isLocal: () => true,
  };
}

function answerTo(task: CompletionRequest["task"]): string {
  if (task.kind === "extract") {
    const { rolloutSummary, rolloutSlug, rawMemory } = extractByRules(task);
    return JSON.stringify({
      rollout_summary: rolloutSummary,
      rollout_slug: rolloutSlug ?? null,
      raw_memory: rawMemory,
    });
  }
  const { memoryMd, memorySummary, skills } = consolidateByRules(task);
  return JSON.stringify({ memory_md: memoryMd, memory_summary: memorySummary, skills });
}
