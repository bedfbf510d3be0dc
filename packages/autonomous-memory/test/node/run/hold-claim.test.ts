import { describe, expect, it } from "vitest";
import { holdClaim } from "../../../src/node/run/hold-claim.ts";
import { type FakeClock, fakeClock } from "../../fake-clock.ts";

describe("holdClaim", () => {
  it("extends the lease four times per term", async () => {
    const clock = fakeClock();
    let beats = 0;
    const held = hold(clock, 120_000, () => {
      beats += 1;
      return true;
    });
    clock.pass(29_999);
    expect(beats).toBe(0);
    clock.pass(1);
    expect(beats).toBe(1);
    clock.pass(90_000);
    expect(beats).toBe(4);
    expect(held.lost().aborted).toBe(false);
    await held.finish();
  });

  it("aborts the work when the claim is lost, and stops extending the lease", async () => {
    const clock = fakeClock();
    let beats = 0;
    const held = hold(clock, 4_000, () => {
      beats += 1;
      return beats < 2;
    });
    clock.pass(1_000);
    expect(held.lost().aborted).toBe(false);
    clock.pass(1_000);
    expect(held.lost().aborted).toBe(true);
    clock.pass(60_000);
    expect(beats).toBe(2);
    await held.finish();
  });

  it("survives a heartbeat that fails because the database is busy", async () => {
    const clock = fakeClock();
    let beats = 0;
    const held = hold(clock, 4_000, () => {
      beats += 1;
      if (beats === 1) throw new Error("database is locked");
      return true;
    });
    clock.pass(2_000);
    expect(beats).toBe(2);
    expect(held.lost().aborted).toBe(false);
    await held.finish();
  });

  it("leaves no timer behind when the work is done", async () => {
    const clock = fakeClock();
    const held = hold(clock, 4_000, () => true);
    clock.pass(1_000);
    await held.finish();
    expect(clock.waiting()).toBe(0);
  });

  it("releases the claim and leaves no timer behind when the work throws", async () => {
    const clock = fakeClock();
    let released = 0;
    const work = holdClaim({
      clock,
      leaseMs: 4_000,
      heartbeat: () => true,
      work: () => Promise.reject(new Error("a bug")),
      release: () => (released += 1),
    });
    await expect(work).rejects.toThrow("a bug");
    expect([released, clock.waiting()]).toEqual([1, 0]);
  });
});

interface Held {
  readonly lost: () => AbortSignal;
  readonly finish: () => Promise<void>;
}

/** Holds a claim until `finish` is called. */
function hold(clock: FakeClock, leaseMs: number, heartbeat: () => boolean): Held {
  const done = Promise.withResolvers<void>();
  let signal = new AbortController().signal;
  const work = holdClaim({
    clock,
    leaseMs,
    heartbeat,
    work: async (lost) => {
      signal = lost;
      await done.promise;
    },
    release: () => undefined,
  });
  return {
    lost: () => signal,
    finish: async () => {
      done.resolve();
      await work;
    },
  };
}
