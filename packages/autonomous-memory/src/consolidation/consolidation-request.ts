import { tokensToBytes, utf8Bytes } from "@caliban/common";
import type { JsonSchema, PromptRequest } from "../prompts/prompt-request.ts";
import { cutAtSection } from "../text/cut-at-section.ts";
import type { PromptVariables } from "../prompts/prompt-variables.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";
import type { SeenExtraction } from "../extraction/extraction.ts";
import type { ConsolidationTask } from "./consolidation-task.ts";
import { fitExtractions } from "./fit-extractions.ts";
import { fitPrevious, type OmittedMemory } from "./fit-previous.ts";
import { isoDay, renderHandEdits } from "./render-extractions.ts";

export interface ConsolidationRequest extends PromptRequest {
  /** The extractions in the input; the rest waits for the next round. */
  readonly seen: readonly SeenExtraction[];
  /** How many extractions wait. */
  readonly waiting: number;
  /** The part of the current memory that did not fit. It has to be kept: see `restoreOmitted`. */
  readonly omitted: OmittedMemory;
}

/** The maximum share for hand edits: lines added by hand are part of the memory as well. */
const HAND_EDITS_SHARE = 1 / 8;
/** The share kept free of the previous memory, so that each round includes something new. */
const NEW_SHARE = 1 / 4;

/**
 * A request for the complete next memory. The input is at most `maxTokens` long, unless that leaves no space for a single
 * extraction: removed ones first, then the newest.
 */
export function consolidationRequest(
  task: ConsolidationTask,
  maxTokens: number,
): ConsolidationRequest {
  const { previous, today } = task;
  const available = Math.max(0, tokensToBytes(maxTokens) - utf8Bytes(render({ ...EMPTY, today })));
  const edits = cutHandEdits(
    renderHandEdits(previous?.handEdits ?? []),
    available * HAND_EDITS_SHARE,
  );
  const forBoth = available - utf8Bytes(edits);
  const all = fitExtractions(task, Number.POSITIVE_INFINITY);
  const kept = fitPrevious(previous, forBoth - Math.min(all.bytes, available * NEW_SHARE));
  const fitted = fitExtractions(task, forBoth - kept.bytes);
  return {
    system: renderPrompt("consolidation_system", {}),
    input: render({ ...kept.variables, ...fitted.variables, today, hand_edits: edits }),
    schema: CONSOLIDATION_SCHEMA,
    seen: fitted.seen,
    waiting: task.added.length + task.removed.length - fitted.seen.length,
    omitted: kept.omitted,
  };
}

type Variables = PromptVariables<"consolidation">;

const EMPTY: Variables = {
  today: isoDay(0),
  memory_md: "",
  memory_summary: "",
  skills: "",
  hand_edits: "",
  removed: "",
  raw_memories: "",
  rollout_summaries: "",
};

function render(variables: Variables): string {
  return renderPrompt("consolidation", variables);
}

function cutHandEdits(edits: string, maxBytes: number): string {
  const mark = "[further lines are not shown]\n";
  if (utf8Bytes(edits) <= maxBytes) return edits;
  return `${cutAtSection(edits, maxBytes - utf8Bytes(mark)).text}${mark}`;
}

const FILES: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["path", "content"],
    properties: {
      path: { type: "string", description: "File name, relative to its folder." },
      content: { type: "string" },
    },
  },
};

/** The schema of the memory as a model answers it. */
export const CONSOLIDATION_SCHEMA: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["memory_md", "memory_summary", "skills"],
  properties: {
    memory_md: { type: "string", description: "The whole long-term document, in Markdown." },
    memory_summary: {
      type: "string",
      description: "What is shown at the start of every session, at most 1,200 words.",
    },
    skills: {
      type: "array",
      description: "All playbooks that are to exist.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["name", "content", "scripts", "templates", "examples"],
        properties: {
          name: { type: "string", description: "Lower-case letters, digits and dashes." },
          content: { type: "string", description: "SKILL.md with its front matter." },
          scripts: FILES,
          templates: FILES,
          examples: FILES,
        },
      },
    },
  },
};
