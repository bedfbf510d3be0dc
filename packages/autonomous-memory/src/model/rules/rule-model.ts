import type { CompletionModel, CompletionRequest } from "../completion.ts";
import {
  EMPTY_EXTRACTION,
  type Extraction,
  type ExtractionTask,
} from "../../extraction/extraction.ts";
import { slugOf } from "../../extraction/rollout-slug.ts";
import { startedWith, titleOf } from "../../transcript/session-title.ts";
import { consolidateByRules } from "./consolidate-by-rules.ts";
import { renderLine } from "./memory-line.ts";
import { successfulCommands } from "./successful-commands.ts";
import { userStatements } from "./user-statements.ts";

/** Larger than any input: rules read the task and not the prompt. */
const WINDOW_TOKENS = 100_000_000;

/**
 * A deterministic substitute for a model: it learns what users state explicitly, and nothing that needs understanding.
 * @example
 * ```ts
 * import { createRuleModel } from "@caliban/autonomous-memory";
 *
 * const model = createRuleModel();
 * console.log(model.extractor.id); // "rules/1"
 * ```
 */
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

const MAX_LINES = 20;
/** The number of lines reserved for commands, if there are any. */
const MAX_COMMANDS = 5;
const MAX_SLUG_WORDS = 5;

/** The user's statements and corrections, and successful commands. */
function extractByRules({ threadId, updatedAt, turns }: ExtractionTask): Extraction {
  const statements = userStatements(turns);
  const commands = successfulCommands(turns).slice(0, MAX_COMMANDS);
  const evidence = { session: threadId, day: updatedAt.slice(0, 10) };
  // The latest statements count if there are too many.
  const kept = statements.slice(-(MAX_LINES - commands.length));
  const lines = [
    ...kept.map(({ kind, text }) => ({ kind, text })),
    ...commands.map(({ command }) => ({ kind: "procedure", text: `\`${command}\`` })),
  ];
  if (lines.length === 0) return EMPTY_EXTRACTION;
  const title = titleOf(turns);
  return {
    rolloutSummary: [
      ...(title === "" ? [] : [startedWith(title)]),
      `Found by rules: ${counted(kept.length, "statement")}, ${counted(commands.length, "command")} that worked.`,
    ].join("\n"),
    rolloutSlug: slugOf(title.split(" ").slice(0, MAX_SLUG_WORDS).join(" ")),
    rawMemory: lines
      .map(({ kind, text }) => renderLine({ text: `[${kind}] ${text}`, evidence: [evidence] }))
      .join("\n"),
  };
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
