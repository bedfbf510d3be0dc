import type { JsonObject } from "../prompts/find-json-object.ts";
import { type AnswerProblem, answerProblem, readAnswer, readText } from "../prompts/read-answer.ts";
import { truncateLines } from "../text/truncate.ts";
import { EMPTY_EXTRACTION, type Extraction } from "./extraction.ts";
import { slugOf } from "./rollout-slug.ts";

export type ParsedExtraction =
  | { readonly kind: "extraction"; readonly extraction: Extraction }
  | AnswerProblem;

const KEYS = ["rollout_summary", "rollout_slug", "raw_memory"];
const MAX_MEMORY_BYTES: number = 32 * 1024;
const MAX_SUMMARY_BYTES: number = 8 * 1024;

/**
 * Parses a model's answer about a session. Extra keys are ignored, missing ones are a problem, and texts that are too long
 * are truncated.
 */
export function parseExtraction(text: string): ParsedExtraction {
  const answer = readAnswer(text, KEYS);
  if (answer.kind === "problem") return answer;
  const rolloutSummary = readText(answer.object, "rollout_summary");
  if (typeof rolloutSummary !== "string") return rolloutSummary;
  const slug = readSlug(answer.object);
  if (typeof slug === "object") return slug;
  const rawMemory = readText(answer.object, "raw_memory");
  if (typeof rawMemory !== "string") return rawMemory;
  // Without a memory, the summary of a session is useless.
  if (rawMemory.trim() === "") return { kind: "extraction", extraction: EMPTY_EXTRACTION };
  const texts = {
    rolloutSummary: truncateLines(rolloutSummary.trim(), MAX_SUMMARY_BYTES),
    rawMemory: truncateLines(rawMemory.trim(), MAX_MEMORY_BYTES),
  };
  return { kind: "extraction", extraction: { ...texts, rolloutSlug: slug } };
}

function readSlug(object: JsonObject): string | undefined | AnswerProblem {
  if (!Object.hasOwn(object, "rollout_slug")) return answerProblem("rollout_slug is missing");
  const value = object["rollout_slug"];
  if (value === null) return undefined;
  return typeof value === "string"
    ? slugOf(value)
    : answerProblem("rollout_slug is neither a string nor null");
}
