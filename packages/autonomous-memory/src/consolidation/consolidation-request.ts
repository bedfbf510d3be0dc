import { bytesOfTokens, utf8Bytes } from "@caliban/common";
import type { CompletionRequest } from "../complete.ts";
import { cutAtSection } from "../generation/cut-at-section.ts";
import type { PromptVariables } from "../prompts/prompt-variables.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";
import type { SeenExtraction } from "../store/pipeline-store.ts";
import { CONSOLIDATION_SCHEMA } from "./consolidation-schema.ts";
import type { ConsolidationTask } from "./consolidation-task.ts";
import { fitExtractions } from "./fit-extractions.ts";
import { fitPrevious, type NotShown } from "./fit-previous.ts";
import { isoDay, renderHandEdits } from "./render-extractions.ts";

export interface ConsolidationRequest extends Pick<
  CompletionRequest,
  "system" | "input" | "schema"
> {
  /** What the input has in it; the rest waits for the next round. */
  readonly seen: readonly SeenExtraction[];
  /** How many extractions wait. */
  readonly leftOut: number;
  /** What there was no room for of the memory as it is. It is to stay: see `withNotShown`. */
  readonly notShown: NotShown;
}

/** Of the room, what hand edits may take: what was added by hand stands in the memory, too. */
const HAND_EDITS_SHARE = 1 / 8;
/** Of the room, what is kept free of the previous memory, so that each round has something new. */
const NEW_SHARE = 1 / 4;

/**
 * The question for the whole memory as it is to be. The input has at most `maxTokens`, as far as that leaves room for one
 * extraction: removed ones first, then the newest.
 */
export function consolidationRequest(
  task: ConsolidationTask,
  maxTokens: number,
): ConsolidationRequest {
  const { previous, today } = task;
  const room = Math.max(0, bytesOfTokens(maxTokens) - utf8Bytes(render({ ...EMPTY, today })));
  const edits = cutHandEdits(renderHandEdits(previous?.handEdits ?? []), room * HAND_EDITS_SHARE);
  const roomForBoth = room - utf8Bytes(edits);
  const all = fitExtractions(task, Number.POSITIVE_INFINITY);
  const kept = fitPrevious(previous, roomForBoth - Math.min(all.bytes, room * NEW_SHARE));
  const fitted = fitExtractions(task, roomForBoth - kept.bytes);
  return {
    system: renderPrompt("consolidation_system", {}),
    input: render({ ...kept.variables, ...fitted.variables, today, hand_edits: edits }),
    schema: CONSOLIDATION_SCHEMA,
    seen: fitted.seen,
    leftOut: task.added.length + task.removed.length - fitted.seen.length,
    notShown: kept.notShown,
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
