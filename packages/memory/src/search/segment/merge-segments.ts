import type { OpenSegment } from "./open-segment.ts";
import { mergePostings } from "./merge-postings.ts";
import { packTexts, textAt } from "./packed-texts.ts";
import { vectorWidth } from "./vectors.ts";
import type { PackedTexts, Segment } from "./segment.ts";

/** Several segments as one, in the same order and without the documents that are gone. */
export function mergeSegments(segments: readonly OpenSegment[]): Segment {
  const kept = segments.map(({ gone }) =>
    Uint32Array.from(gone.keys()).filter((at) => gone[at] === 0),
  );
  const all = segments.map(({ segment }) => segment);
  const size = kept.reduce((sum, own) => sum + own.length, 0);
  return {
    ...mergePostings(all, renumber(segments), size),
    lengths: Uint32Array.from(pick(all, kept, ({ lengths }) => lengths)),
    kinds: Uint8Array.from(pick(all, kept, ({ kinds }) => kinds)),
    times: Float64Array.from(pick(all, kept, ({ times }) => times)),
    turns: Float64Array.from(pick(all, kept, ({ turns }) => turns)),
    ids: packTexts(
      all.flatMap(({ ids }, at) => Array.from(kept[at] ?? [], (each) => textAt(ids, each))),
    ),
    ...mergeNames(all, kept),
    vectors: mergeVectors(all, kept),
  };
}

/** Of each document of each segment, its new number; -1 for one that is gone. */
function renumber(segments: readonly OpenSegment[]): readonly Int32Array[] {
  let next = 0;
  return segments.map(({ gone }) =>
    Int32Array.from(gone, (isGone) => (isGone === 1 ? -1 : next++)),
  );
}

function pick(
  all: readonly Segment[],
  kept: readonly Uint32Array[],
  valuesOf: (segment: Segment) => ArrayLike<number>,
): readonly number[] {
  return all.flatMap((segment, at) => {
    const values = valuesOf(segment);
    return Array.from(kept[at] ?? [], (each) => values[each] ?? 0);
  });
}

/** The names of types and sessions: each once, and of each document which one it has. */
function mergeNames(
  all: readonly Segment[],
  kept: readonly Uint32Array[],
): Pick<Segment, "types" | "typeNames" | "sessions" | "sessionNames"> {
  const types = joinNames(all, kept, ({ types: own, typeNames }) => [own, typeNames]);
  const sessions = joinNames(all, kept, ({ sessions: own, sessionNames }) => [own, sessionNames]);
  return {
    types: types.numbers,
    typeNames: types.names,
    sessions: sessions.numbers,
    sessionNames: sessions.names,
  };
}

function joinNames(
  all: readonly Segment[],
  kept: readonly Uint32Array[],
  namesOf: (segment: Segment) => readonly [numbers: Uint32Array, names: PackedTexts],
): { readonly numbers: Uint32Array; readonly names: PackedTexts } {
  const numbers = new Map<string, number>();
  const merged = all.flatMap((segment, at) => {
    const [own, names] = namesOf(segment);
    const renumbered = new Map<number, number>();
    return Array.from(kept[at] ?? [], (each) => {
      const number = own[each] ?? 0;
      const known = renumbered.get(number);
      if (known !== undefined) return known;
      const name = textAt(names, number);
      const fresh = numbers.get(name) ?? numbers.size;
      numbers.set(name, fresh);
      renumbered.set(number, fresh);
      return fresh;
    });
  });
  return { numbers: Uint32Array.from(merged), names: packTexts([...numbers.keys()]) };
}

/** Vectors of another width than the first are left out: they were made by another model. */
function mergeVectors(all: readonly Segment[], kept: readonly Uint32Array[]): Float32Array {
  const width = all.map(vectorWidth).find((own) => own > 0) ?? 0;
  const merged = new Float32Array(width * kept.reduce((sum, own) => sum + own.length, 0));
  let end = 0;
  for (const [at, segment] of all.entries()) {
    const isAlike = vectorWidth(segment) === width;
    for (const each of kept[at] ?? []) {
      if (isAlike) merged.set(segment.vectors.subarray(each * width, (each + 1) * width), end);
      end += width;
    }
  }
  return merged;
}
