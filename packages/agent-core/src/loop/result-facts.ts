import { isRecord } from "@caliban/common";
import type { ResultFacts } from "../message.ts";

/** The texts that a screen shows. Others may be long or private, and are not stored again. */
const SHOWN_TEXTS: ReadonlySet<string> = new Set(["ended", "message", "sentence", "stopped"]);
const MAX_TEXT_CHARACTERS = 200;
const MAX_DIFF_CHARACTERS = 16_000;

/**
 * The part of a result's data that is stored with the conversation, so that a resumed conversation looks like the live
 * one: numbers, flags, the lengths of lists, a few short texts, and the diff of a change.
 */
export function resultFacts(data: unknown, durationMs: number): ResultFacts {
  const entries = isRecord(data) ? Object.entries(data) : [];
  const facts = entries.flatMap(([name, value]) => {
    const fact = typeof value === "string" ? textFact(name, value) : factOf(value);
    return fact === undefined ? [] : [[name, fact] as const];
  });
  return { ...Object.fromEntries(facts), durationMs };
}

function factOf(value: unknown): number | boolean | undefined {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "boolean" ? value : undefined;
}

function textFact(name: string, text: string): string | number | undefined {
  if (name === "diff") return diffFact(text);
  // The body of a topic is shown by its length.
  if (name === "body") return text.trim() === "" ? 0 : text.trimEnd().split("\n").length;
  return SHOWN_TEXTS.has(name) && text.length <= MAX_TEXT_CHARACTERS ? text : undefined;
}

/** Whole lines only. */
function diffFact(diff: string): string | undefined {
  if (diff.length <= MAX_DIFF_CHARACTERS) return diff;
  const end = diff.lastIndexOf("\n", MAX_DIFF_CHARACTERS);
  return end === -1 ? undefined : `${diff.slice(0, end)}\n…`;
}
