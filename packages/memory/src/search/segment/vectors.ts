import type { Segment } from "./segment.ts";

/**
 * Vectors one behind the other, each of unit length, so that a product is a cosine. A document without one has zeros;
 * where no document has one there is nothing at all.
 */
export function packVectors(vectors: readonly (ArrayLike<number> | undefined)[]): Float32Array {
  const width = vectors.find((vector) => vector !== undefined && vector.length > 0)?.length ?? 0;
  const packed = new Float32Array(width === 0 ? 0 : vectors.length * width);
  for (const [at, vector] of vectors.entries()) {
    if (vector !== undefined) packed.set(unitVector(vector, width), at * width);
  }
  return packed;
}

/** The direction of a vector; of another width than the others it has none. */
export function unitVector(vector: ArrayLike<number>, width: number): Float32Array {
  const unit = new Float32Array(width);
  if (vector.length !== width) return unit;
  let square = 0;
  for (let at = 0; at < width; at++) square += (vector[at] ?? 0) ** 2;
  const length = Math.sqrt(square);
  if (!(length > 0 && Number.isFinite(length))) return unit;
  for (let at = 0; at < width; at++) unit[at] = (vector[at] ?? 0) / length;
  return unit;
}

/** How many numbers a vector of a segment has; 0 where it has none. */
export function vectorWidth({ vectors, lengths }: Pick<Segment, "vectors" | "lengths">): number {
  return lengths.length === 0 ? 0 : vectors.length / lengths.length;
}
