import type { Sha256Hex } from "../project/slug.ts";

const HASH_CHARACTERS = 12;

/** A version made from the text itself. Long enough to tell apart any two texts that one topic ever had. */
export function textVersion(text: string, sha256Hex: Sha256Hex): string {
  return sha256Hex(text).slice(0, HASH_CHARACTERS);
}
