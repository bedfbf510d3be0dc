import { utf8Bytes } from "@caliban/common";
import type { PromptVariables } from "../prompts/prompt-variables.ts";
import type { SeenExtraction, StoredExtraction } from "../extraction/extraction.ts";
import { firstBytes } from "../text/truncate.ts";
import type { ConsolidationTask } from "./consolidation-task.ts";
import { renderEntry } from "./render-extractions.ts";

/** As many extractions as fit. */
export interface FittedExtractions {
  readonly variables: Pick<
    PromptVariables<"consolidation">,
    "removed" | "raw_memories" | "rollout_summaries"
  >;
  readonly seen: readonly SeenExtraction[];
  readonly bytes: number;
}

/** Enough of a removed session to know what it supported. */
const MAX_REMOVED_BYTES = 4_000;
/** A single extraction that is too long still gets this much, because it would otherwise wait forever. */
const MIN_BYTES = 400;
const CUT_MARK = "\n[cut here]\n\n";

/** Takes the removed ones, then the newest, up to the first that does not fit. Takes at least one. */
export function fitExtractions(task: ConsolidationTask, maxBytes: number): FittedExtractions {
  const entries = [...task.removed.map(removedEntry), ...task.added.map(addedEntry)];
  const taken: Entry[] = [];
  let bytes = 0;
  for (const each of entries) {
    const entry = taken.length === 0 ? cutEntry(each, maxBytes) : each;
    if (taken.length > 0 && bytes + sizeOf(entry) > maxBytes) break;
    taken.push(entry);
    bytes += sizeOf(entry);
  }
  const joined = (key: "removed" | "rawMemory" | "summary"): string =>
    taken.map((entry) => entry[key]).join("");
  return {
    variables: {
      removed: joined("removed"),
      raw_memories: joined("rawMemory"),
      rollout_summaries: joined("summary"),
    },
    seen: taken.map(({ seen }) => seen),
    bytes,
  };
}

interface Entry {
  readonly removed: string;
  readonly rawMemory: string;
  readonly summary: string;
  readonly seen: SeenExtraction;
}

function removedEntry(extraction: StoredExtraction): Entry {
  const { threadId, watermark, rawMemory, rolloutSummary } = extraction;
  const text = firstBytes([rawMemory, rolloutSummary].join("\n").trim(), MAX_REMOVED_BYTES);
  // Its id alone tells the model which evidence no longer counts.
  const removed = renderEntry(extraction, text === "" ? "(nothing is known of it)" : text);
  return { removed, rawMemory: "", summary: "", seen: { threadId, watermark } };
}

function addedEntry(extraction: StoredExtraction): Entry {
  const { threadId, watermark } = extraction;
  return {
    removed: "",
    rawMemory: renderEntry(extraction, extraction.rawMemory),
    summary: renderEntry(extraction, extraction.rolloutSummary),
    seen: { threadId, watermark },
  };
}

function sizeOf({ removed, rawMemory, summary }: Entry): number {
  return utf8Bytes(removed) + utf8Bytes(rawMemory) + utf8Bytes(summary);
}

/** Drops the summary first: the memories matter more than what the session was about. */
function cutEntry(entry: Entry, maxBytes: number): Entry {
  const limit = Math.max(MIN_BYTES, maxBytes);
  if (sizeOf(entry) <= limit) return entry;
  const shorten = (text: string): string =>
    utf8Bytes(text) <= limit ? text : `${firstBytes(text, limit - CUT_MARK.length)}${CUT_MARK}`;
  return {
    ...entry,
    removed: shorten(entry.removed),
    rawMemory: shorten(entry.rawMemory),
    summary: entry.rawMemory === "" ? shorten(entry.summary) : "",
  };
}
