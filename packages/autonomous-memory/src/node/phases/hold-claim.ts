import type { Clock } from "../../clock.ts";

export interface HoldClaimInput {
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Extends the lease; false when the claim is no longer ours. */
  readonly beat: () => boolean;
}

export interface HeldClaim {
  /** Aborted when the claim was lost: what is done then is for nothing. */
  readonly lost: AbortSignal;
  readonly letGo: () => void;
}

/** Extends a lease four times in its length, for as long as the work takes. */
export function holdClaim({ clock, leaseMs, beat }: HoldClaimInput): HeldClaim {
  const controller = new AbortController();
  const everyMs = leaseMs / 4;
  let cancel = clock.after(everyMs, tick);
  function tick(): void {
    if (controller.signal.aborted) return;
    if (isOurs(beat)) cancel = clock.after(everyMs, tick);
    else controller.abort();
  }
  return { lost: controller.signal, letGo: () => cancel() };
}

function isOurs(beat: () => boolean): boolean {
  try {
    return beat();
  } catch (error) {
    // A database that is busy for seconds costs this beat; three more come before the lease ends.
    if (error instanceof Error) return true;
    throw error;
  }
}
