import { utf8Bytes } from "@caliban/common";
import type { PromptVariables } from "../prompts/prompt-variables.ts";
import type { SeenExtraction } from "../store/pipeline-store.ts";
import type { StoredExtraction } from "../store/stored-extraction.ts";
import type { ConsolidationTask } from "./consolidation-task.ts";
import { firstBytes } from "./first-bytes.ts";
import { renderEntry } from "./render-extractions.ts";

/** Extractions as far as there is room. */
export interface FittedExtractions {
  readonly variables: Pick<
    PromptVariables<"consolidation">,
    "removed" | "raw_memories" | "rollout_summaries"
  >;
  readonly seen: readonly SeenExtraction[];
  readonly bytes: number;
}

/** Of a removed session: enough to know what it supported. */
const MOST_REMOVED_BYTES = 4_000;
/** One that alone is too long is still given so much of, because it would wait for ever. */
const LEAST_BYTES = 400;
const CUT_MARK = "\n[cut here]\n\n";

/** Takes the removed ones, then the newest, and ends with the first that does not fit. At least one is taken. */
export function fitExtractions(task: ConsolidationTask, maxBytes: number): FittedExtractions {
  const entries = [...task.removed.map(removedEntry), ...task.added.map(addedEntry)];
  const taken: Entry[] = [];
  let bytes = 0;
  for (const whole of entries) {
    const entry = taken.length === 0 ? cutEntry(whole, maxBytes) : whole;
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
  const text = firstBytes([rawMemory, rolloutSummary].join("\n").trim(), MOST_REMOVED_BYTES);
  // Its id alone says which evidence no longer counts.
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

/** What was learned counts more than what the session was about. */
function cutEntry(entry: Entry, maxBytes: number): Entry {
  const room = Math.max(LEAST_BYTES, maxBytes);
  if (sizeOf(entry) <= room) return entry;
  const shorten = (text: string): string =>
    utf8Bytes(text) <= room ? text : `${firstBytes(text, room - CUT_MARK.length)}${CUT_MARK}`;
  return {
    ...entry,
    removed: shorten(entry.removed),
    rawMemory: shorten(entry.rawMemory),
    summary: entry.rawMemory === "" ? shorten(entry.summary) : "",
  };
}
