import { describe, expect, it } from "vitest";
import { keepClaim } from "../../../src/node/run/hold-claim.ts";
import { fakeClock } from "../../fake-clock.ts";

describe("holdClaim", () => {
  it("extends the lease four times in its length", () => {
    const clock = fakeClock();
    let beats = 0;
    const beat = (): boolean => {
      beats += 1;
      return true;
    };
    const held = keepClaim({ clock, leaseMs: 120_000, beat });
    clock.pass(29_999);
    expect(beats).toBe(0);
    clock.pass(1);
    expect(beats).toBe(1);
    clock.pass(90_000);
    expect(beats).toBe(4);
    expect(held.lost.aborted).toBe(false);
  });

  it("tells when the claim is lost, and asks no more", () => {
    const clock = fakeClock();
    let beats = 0;
    const beat = (): boolean => {
      beats += 1;
      return beats < 2;
    };
    const held = keepClaim({ clock, leaseMs: 4_000, beat });
    clock.pass(1_000);
    expect(held.lost.aborted).toBe(false);
    clock.pass(1_000);
    expect(held.lost.aborted).toBe(true);
    clock.pass(60_000);
    expect(beats).toBe(2);
  });

  it("goes on after a beat that the database had no time for", () => {
    const clock = fakeClock();
    let beats = 0;
    const beat = (): boolean => {
      beats += 1;
      if (beats === 1) throw new Error("database is locked");
      return true;
    };
    const held = keepClaim({ clock, leaseMs: 4_000, beat });
    clock.pass(2_000);
    expect(beats).toBe(2);
    expect(held.lost.aborted).toBe(false);
  });

  it("leaves no timer behind", () => {
    const clock = fakeClock();
    const held = keepClaim({ clock, leaseMs: 4_000, beat: () => true });
    clock.pass(1_000);
    held.stop();
    expect(clock.waiting()).toBe(0);
  });
});
