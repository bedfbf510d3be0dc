import { type AnswerProblem, problem, readAnswer, readText } from "../answer/read-answer.ts";
import type { JsonObject } from "../answer/find-json-object.ts";
import type { Extraction } from "./extraction-task.ts";
import { slugOf } from "./rollout-slug.ts";
import { shortened } from "./shortened.ts";

export type ParsedExtraction =
  | { readonly kind: "extraction"; readonly extraction: Extraction }
  | AnswerProblem;

const KEYS = ["rollout_summary", "rollout_slug", "raw_memory"];
const MAX_MEMORY_BYTES: number = 32 * 1024;
const MAX_SUMMARY_BYTES: number = 8 * 1024;
const NOTHING: Extraction = { rolloutSummary: "", rolloutSlug: undefined, rawMemory: "" };

/**
 * Reads what a model answered about a session. Keys it was not asked for are ignored, missing ones are not, and texts that
 * are too long are cut.
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
  // A summary of a session that left nothing is of no use to anybody.
  if (rawMemory.trim() === "") return { kind: "extraction", extraction: NOTHING };
  const texts = {
    rolloutSummary: shortened(rolloutSummary.trim(), MAX_SUMMARY_BYTES),
    rawMemory: shortened(rawMemory.trim(), MAX_MEMORY_BYTES),
  };
  return { kind: "extraction", extraction: { ...texts, rolloutSlug: slug } };
}

function readSlug(object: JsonObject): string | undefined | AnswerProblem {
  if (!Object.hasOwn(object, "rollout_slug")) return problem("rollout_slug is missing");
  const value = object["rollout_slug"];
  if (value === null) return undefined;
  return typeof value === "string"
    ? slugOf(value)
    : problem("rollout_slug is neither a text nor null");
}
