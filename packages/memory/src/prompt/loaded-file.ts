import type { MemoryNotice, ReasonCode, ReceiptEntry, ReceiptStatus } from "./receipt.ts";
import type { FileKind, TierKind } from "./tier.ts";

/** A file to consider. */
export interface Candidate {
  readonly tier: TierKind;
  readonly kind: FileKind;
  readonly path: string;
  /** Whether its directory is known to be a real path. */
  readonly hasRealParent?: boolean;
  /** Whether a person named its directory, so that it needs no approval. */
  readonly isUserOwned?: boolean;
}

/** Why a file is not in the prompt. */
export interface NotLoaded {
  readonly status: ReceiptStatus & ("skipped" | "missing");
  readonly reason: ReasonCode;
  readonly message: string;
}

/** What became of a candidate: its text, made ready for a block, or the reason why there is none. */
export type LoadedFile = {
  readonly candidate: Candidate;
  /** Every file it asked for, and what became of that. */
  readonly imports: readonly ReceiptEntry[];
  readonly notices: readonly MemoryNotice[];
} & (
  | {
      readonly body: string;
      readonly fileBytes: number;
      readonly unreadBytes: number;
      /** What was left out of it before, in a sentence. */
      readonly cut?: string | undefined;
      /** Of the index: how many topics there are. */
      readonly topicCount?: number;
    }
  | { readonly notLoaded: NotLoaded }
);

/** A candidate that is left out before it is even opened. */
export function leftOut(candidate: Candidate, reason: ReasonCode, sentence: string): LoadedFile {
  return {
    candidate,
    imports: [],
    notices: [],
    notLoaded: { status: "skipped", reason, message: sentence },
  };
}
