import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { ignoreExperimentalWarnings } from "../../src/process/ignore-experimental-warnings.ts";

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
