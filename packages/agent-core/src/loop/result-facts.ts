import { isRecord } from "@caliban/common";
import type { ResultFacts } from "../message.ts";

const MAX_TEXT_CHARACTERS = 200;
const MAX_DIFF_CHARACTERS = 16_000;

/**
 * The part of a result's data that is stored with the conversation, so that a resumed conversation looks like the live
 * one: numbers, flags, short texts, the lengths of lists and of long texts, and the diff of a change.
 */
export function resultFacts(data: unknown, durationMs: number): ResultFacts {
  const entries = isRecord(data) ? Object.entries(data) : [];
  const facts = entries.flatMap(([name, value]) => {
    const fact = name === "diff" ? diffFact(value) : factOf(value);
    if (fact !== undefined) return [[name, fact] as const];
    return typeof value === "string" ? [[`${name}Lines`, lineCount(value)] as const] : [];
  });
  return { ...Object.fromEntries(facts), durationMs };
}

function lineCount(text: string): number {
  return text.trimEnd().split("\n").length;
}

function factOf(value: unknown): string | number | boolean | undefined {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "string") return value.length <= MAX_TEXT_CHARACTERS ? value : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "boolean" ? value : undefined;
}

/** Whole lines only. */
function diffFact(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (value.length <= MAX_DIFF_CHARACTERS) return value;
  const end = value.lastIndexOf("\n", MAX_DIFF_CHARACTERS);
  return end === -1 ? undefined : `${value.slice(0, end)}\n…`;
}
