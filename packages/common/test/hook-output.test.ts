import { expect, it } from "vitest";
import { hookTextsIn, renderHookText, withoutHookTexts } from "../src/hook-output.ts";

it("finds the texts of hooks in a note, and the note without them", () => {
  const hook = { hook: "a-b", event: "UserPromptSubmit" };
  const note = [
    "[Today.]",
    renderHookText({ ...hook, text: "one\ntwo" }),
    renderHookText({ ...hook, text: "" }),
  ].join("\n");
  expect(hookTextsIn(note)).toEqual(["one\ntwo", ""]);
  expect(withoutHookTexts(note)).toBe("[Today.]\n\n");
  expect(hookTextsIn("no hook said anything")).toEqual([]);
});
