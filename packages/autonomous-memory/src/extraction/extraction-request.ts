import type { JsonSchema, PromptRequest } from "../prompts/prompt-request.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";
import type { ExtractionTask } from "./extraction.ts";

/** The schema of the answer about a session. */
export const EXTRACTION_SCHEMA: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["rollout_summary", "rollout_slug", "raw_memory"],
  properties: {
    rollout_summary: {
      type: "string",
      description: "What the session was about, at most 150 words; empty when nothing is durable.",
    },
    rollout_slug: {
      type: ["string", "null"],
      description: "Two to five words joined by dashes, or null.",
    },
    raw_memory: {
      type: "string",
      description: "One Markdown line a memory, with evidence; empty when nothing is durable.",
    },
  },
};

/** A request for the durable knowledge in a session. The transcript is already redacted and fits. */
export function extractionRequest({
  threadId,
  updatedAt,
  transcript,
}: Pick<ExtractionTask, "threadId" | "updatedAt"> & {
  readonly transcript: string;
}): PromptRequest {
  return {
    system: renderPrompt("stage_one_system", {}),
    input: renderPrompt("stage_one_input", {
      thread_id: threadId,
      updated_at: updatedAt,
      response_items_json: transcript,
    }),
    schema: EXTRACTION_SCHEMA,
  };
}
