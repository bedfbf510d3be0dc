import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { InterruptReason } from "../../src/host.ts";
import { ignoreExperimentalWarnings, onInterrupt } from "../../src/process/process-events.ts";

/** A process that can be interrupted, and what it reported. */
function listening(): {
  readonly signals: EventEmitter;
  readonly stdout: EventEmitter;
  readonly reported: readonly InterruptReason[];
  readonly exits: readonly number[];
  readonly stop: () => void;
} {
  const [signals, stdout] = [new EventEmitter(), new EventEmitter()];
  const reported: InterruptReason[] = [];
  const exits: number[] = [];
  const machine = {
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
    exit: (code: number) => void exits.push(code),
  };
  const onLost = (listener: () => void): (() => void) => {
    stdout.on("error", listener);
    return () => void stdout.off("error", listener);
  };
  const stop = onInterrupt(machine, { onLost }, (reason) => reported.push(reason));
  return { signals, stdout, reported, exits, stop };
}

describe("onInterrupt", () => {
  it.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)("reports %s", (signal) => {
    const { signals, reported, exits } = listening();
    signals.emit(signal, signal);
    expect({ reported, exits }).toEqual({ reported: [signal], exits: [] });
  });

  it.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("ends the process after a second %s with exit code %i", ([signal, code]) => {
    const { signals, reported, exits } = listening();
    signals.emit("SIGINT", "SIGINT");
    signals.emit(signal, signal);
    expect({ reported, exits }).toEqual({ reported: ["SIGINT"], exits: [code] });
  });

  it("reports lost output once, and a signal after it ends the process", () => {
    const { signals, stdout, reported, exits } = listening();
    stdout.emit("error");
    stdout.emit("error");
    expect({ reported, exits }).toEqual({ reported: ["output-lost"], exits: [] });
    signals.emit("SIGINT", "SIGINT");
    expect(exits).toEqual([130]);
  });

  it("reports nothing after listening was stopped", () => {
    const { signals, stdout, stop } = listening();
    stop();
    expect([signals.eventNames(), stdout.eventNames()]).toEqual([[], []]);
  });
});

describe("ignoreExperimentalWarnings", () => {
  it("drops experimental warnings and passes other warnings on", () => {
    const machine = new EventEmitter();
    const told: string[] = [];
    machine.on("warning", ({ message }: Error) => void told.push(message));
    ignoreExperimentalWarnings(machine);
    const experiment = new Error("SQLite is an experimental feature and might change at any time");
    experiment.name = "ExperimentalWarning";
    machine.emit("warning", experiment);
    machine.emit("warning", new Error("something is deprecated"));
    expect(told).toEqual(["something is deprecated"]);
  });
});
