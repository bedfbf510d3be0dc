import type { Clock } from "../../run/clock.ts";

export interface HoldClaimInput<Outcome> {
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Extends the lease; false when the claim was lost. */
  readonly heartbeat: () => boolean;
  /** Does the work; `lost` is aborted when the claim was lost, because the work is then in vain. */
  readonly work: (lost: AbortSignal) => Promise<Outcome>;
  /** Releases the claim. Called when the work throws, which is a bug or a failing disk. */
  readonly release: () => void;
}

/** Does work under a claim whose lease is extended four times per term, for as long as the work takes. */
export async function holdClaim<Outcome>(input: HoldClaimInput<Outcome>): Promise<Outcome> {
  const { clock, leaseMs, heartbeat, work, release } = input;
  const lost = new AbortController();
  const everyMs = leaseMs / 4;
  let cancel = clock.after(everyMs, tick);
  function tick(): void {
    if (isHeld(heartbeat)) cancel = clock.after(everyMs, tick);
    else lost.abort();
  }
  try {
    return await work(lost.signal);
  } catch (error) {
    release();
    throw error;
  } finally {
    cancel();
  }
}

function isHeld(heartbeat: () => boolean): boolean {
  try {
    return heartbeat();
  } catch (error) {
    // A database that is busy for seconds only misses this beat; three more come before the lease ends.
    if (error instanceof Error) return true;
    throw error;
  }
}
