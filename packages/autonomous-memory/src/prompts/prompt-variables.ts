/** The variables of each prompt; a prompt is named after its file. */
export const PROMPT_VARIABLES = {
  stage_one_system: [],
  stage_one_input: ["thread_id", "updated_at", "response_items_json"],
  consolidation_system: [],
  consolidation: [
    "today",
    "memory_md",
    "memory_summary",
    "skills",
    "hand_edits",
    "removed",
    "raw_memories",
    "rollout_summaries",
  ],
  read_path: ["memory_summary", "skills"],
} as const;

export type PromptName = keyof typeof PROMPT_VARIABLES;

/** A text for every variable of a prompt. */
export type PromptVariables<Name extends PromptName> = Readonly<
  Record<(typeof PROMPT_VARIABLES)[Name][number], string>
>;
