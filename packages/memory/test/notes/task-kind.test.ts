import { expect, it } from "vitest";
import { taskKind } from "../../src/notes/task-kind.ts";

it.for([
  ["fix the typo on the terms page", "repair"],
  ["rename calc() to tripPrice()", "repair"],
  ["NullPointerException in StationService.kt line 88, can you fix it?", "repair"],
  ["fix the clippy warnings", "repair"],
  ["explain how the worker picks its next row", "question"],
  ["can you find out why the build is slow?", "question"],
  ["where is the price computed?", "question"],
  ["add retries to the payment client", undefined],
  ["the export needs a column for the driver", undefined],
  ["move the worker to the new queue", undefined],
] as const)("takes %j for %j", ([message, kind]) => {
  expect(taskKind(message)).toBe(kind);
});
