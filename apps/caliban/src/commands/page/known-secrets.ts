import { setImmediate } from "node:timers/promises";
import { createQueue } from "@caliban/common";

type FoundSecrets = readonly { readonly kind: string; readonly line: number }[];

/** More than the texts of a large project and its history have together. */
const MAX_CHARACTERS = 64_000_000;
/** A search in thousands of texts takes seconds, and the page must answer meanwhile: an answer waits for several slices. */
const SLICE_MS = 3;

/** Finds secrets, in each text once, and lets others run in between. */
export function createKnownSecrets(nowMs: () => number): (text: string) => Promise<FoundSecrets> {
  const known = new Map<string, FoundSecrets>();
  const inTurn = createQueue();
  let characters = 0;
  let sliceMs = nowMs();
  const search = async (text: string): Promise<FoundSecrets> => {
    if (nowMs() - sliceMs > SLICE_MS) {
      await setImmediate();
      sliceMs = nowMs();
    }
    const { findSecrets } = await import("@caliban/common/secrets");
    return await findSecrets(text);
  };
  return async (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = await inTurn(async () => await search(text));
    characters += text.length;
    if (characters > MAX_CHARACTERS) {
      known.clear();
      characters = text.length;
    }
    known.set(text, found);
    return found;
  };
}
