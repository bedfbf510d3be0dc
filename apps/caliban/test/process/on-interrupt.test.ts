import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { InterruptReason } from "../../src/host.ts";
import { onInterrupt } from "../../src/process/on-interrupt.ts";

/** A process that can be told to end, and what came of it. */
function listening(): {
  readonly signals: EventEmitter;
  readonly stdout: EventEmitter;
  readonly told: readonly InterruptReason[];
  readonly exits: readonly number[];
  readonly stop: () => void;
} {
  const [signals, stdout] = [new EventEmitter(), new EventEmitter()];
  const told: InterruptReason[] = [];
  const exits: number[] = [];
  const machine = {
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
    exit: (code: number) => void exits.push(code),
    stdout,
  };
  const stop = onInterrupt(machine, (reason) => told.push(reason));
  return { signals, stdout, told, exits, stop };
}

describe("a wish to end", () => {
  it.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)("by %s is told", (signal) => {
    const { signals, told, exits } = listening();
    signals.emit(signal, signal);
    expect({ told, exits }).toEqual({ told: [signal], exits: [] });
  });

  it.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("by a second %s ends the process with %i", ([signal, code]) => {
    const { signals, told, exits } = listening();
    signals.emit("SIGINT", "SIGINT");
    signals.emit(signal, signal);
    expect({ told, exits }).toEqual({ told: ["SIGINT"], exits: [code] });
  });

  it("is told once, however often the output is lost, and a signal after it is heard", () => {
    const { signals, stdout, told, exits } = listening();
    stdout.emit("error");
    stdout.emit("error");
    expect({ told, exits }).toEqual({ told: ["output-lost"], exits: [] });
    signals.emit("SIGINT", "SIGINT");
    expect(exits).toEqual([130]);
  });

  it("is nobody's business any more when listening has stopped", () => {
    const { signals, stdout, stop } = listening();
    stop();
    expect([signals.eventNames(), stdout.eventNames()]).toEqual([[], []]);
  });
});
