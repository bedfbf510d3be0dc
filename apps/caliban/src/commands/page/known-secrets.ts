import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { createQueue } from "@caliban/common";

type FoundSecrets = readonly { readonly kind: string; readonly line: number }[];

/** More texts than a project with a long history has. */
const MAX_KNOWN = 100_000;
/** A search in thousands of texts takes seconds, and the page must answer meanwhile. */
const SLICE_MS = 10;

/** Finds secrets, in each text once, and lets others run in between. */
export function createKnownSecrets(
  nowMs: () => number,
): (text: string) => Promise<FoundSecrets> {
  const known = new Map<string, FoundSecrets>();
  const inTurn = createQueue();
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
    // The text itself may be a secret, and is not kept.
    const key = createHash("sha256").update(text).digest("base64");
    const found = known.get(key) ?? (await inTurn(async () => await search(text)));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, found);
    return found;
  };
}
