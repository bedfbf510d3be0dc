import { estimateTokens } from "../../packages/common/src/index.ts";
import type { Note, NoteTrigger } from "../../packages/memory/src/index.ts";
import type { OpenedMemorySearch } from "../../packages/memory/src/node/index.ts";
import type { AppliedCase } from "./case.ts";

/** What became of a case. */
export interface CaseResult {
  readonly name: string;
  readonly outcome: "right" | "missing" | "stale" | "unrelated";
  readonly isAmended: boolean;
  readonly expectsNote: boolean;
  /** Whether the expected note was shown, with or without others. */
  readonly hasArrived: boolean;
  readonly tokens: readonly number[];
}

const NOW_MS = Date.UTC(2026, 10, 18);

/** Runs cases like a session would: a note for the message, then one for the first call. */
export async function runCases(
  search: OpenedMemorySearch,
  cases: readonly AppliedCase[],
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const each of cases) results.push(await runCase(search, each));
  return results;
}

async function runCase(search: OpenedMemorySearch, tested: AppliedCase): Promise<CaseResult> {
  const known = new Set<string>();
  const notes: Note[] = [];
  const triggers: readonly NoteTrigger[] = [
    { kind: "message", text: tested.message },
    triggerOf(tested),
  ];
  for (const trigger of triggers) {
    const note = await search.note({
      trigger,
      message: tested.message,
      isKnown: (address) => known.has(address),
      isReadable: () => true,
      nowMs: NOW_MS,
    });
    if (note === undefined) continue;
    notes.push(note);
    known.add(note.source.address);
  }
  return resultOf(
    tested,
    notes.map(({ text, was }) => ({ text, tokens: estimateTokens(`${text}${was?.text ?? ""}`) })),
  );
}

/** A memory that was shown. */
export interface ShownNote {
  readonly text: string;
  readonly tokens: number;
}

/** Says what became of a case in which these notes were shown. */
export function resultOf(tested: AppliedCase, notes: readonly ShownNote[]): CaseResult {
  const { name, expect, stale } = tested;
  return {
    name,
    outcome: outcomeOf(tested, notes),
    isAmended: stale !== undefined,
    expectsNote: expect !== undefined,
    hasArrived: notes.some(({ text }) => expect?.test(text) === true),
    tokens: notes.map(({ tokens }) => tokens),
  };
}

function outcomeOf(
  { expect, stale }: AppliedCase,
  notes: readonly ShownNote[],
): CaseResult["outcome"] {
  const isRight = ({ text }: ShownNote): boolean => expect?.test(text) === true;
  const isStale = ({ text }: ShownNote): boolean => stale?.test(text) === true;
  if (notes.some((note) => isStale(note) && !isRight(note))) return "stale";
  if (notes.some((note) => !isRight(note))) return "unrelated";
  return notes.length > 0 || expect === undefined ? "right" : "missing";
}

export function triggerOf({ call, text = "" }: AppliedCase): NoteTrigger {
  const space = call.indexOf(" ");
  const [verb, target] = [call.slice(0, space), call.slice(space + 1)];
  if (verb === "run") return { kind: "command", command: target };
  if (verb !== "read" && verb !== "edit" && verb !== "create")
    throw new Error(`no such call: ${call}`);
  return { kind: "file", action: verb, path: target, text };
}
