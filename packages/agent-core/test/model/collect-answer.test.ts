import { describe, expect, it } from "vitest";
import { createAnswerCollector } from "../../src/model/collect-answer.ts";
import { call, finish, text } from "../support/scripted-model.ts";

describe("the answer collector", () => {
  it("orders interleaved parts by their start", () => {
    const collector = createAnswerCollector();
    collector.add({ type: "reasoning-start", id: "0" });
    collector.add({ type: "text-start", id: "0" });
    collector.add({ type: "text-delta", id: "0", delta: "A" });
    collector.add({ type: "reasoning-delta", id: "0", delta: "r" });
    collector.add({
      type: "reasoning-end",
      id: "0",
      providerMetadata: { anthropic: { signature: "s" } },
    });
    collector.add({ type: "text-delta", id: "0", delta: "B" });
    collector.add(call("c", "Read", { a: 1 }));
    expect(collector.answer().parts).toEqual([
      { type: "reasoning", text: "r", metadata: { anthropic: { signature: "s" } } },
      { type: "text", text: "AB" },
      { type: "tool-call", id: "c", name: "Read", input: { a: 1 } },
    ]);
  });

  it("keeps empty reasoning that carries a signature, and drops empty text", () => {
    const collector = createAnswerCollector();
    collector.add({
      type: "reasoning-start",
      id: "0",
      providerMetadata: { anthropic: { redactedData: "x" } },
    });
    for (const part of text("")) collector.add(part);
    expect(collector.answer().parts).toEqual([
      { type: "reasoning", text: "", metadata: { anthropic: { redactedData: "x" } } },
    ]);
  });

  it("accepts a delta of a text that was never started", () => {
    const collector = createAnswerCollector();
    expect(collector.add({ type: "text-delta", id: "9", delta: "hi" })).toEqual({
      type: "text-delta",
      text: "hi",
    });
    expect(collector.answer().parts).toEqual([{ type: "text", text: "hi" }]);
  });

  it("reports no finish reason before the model does", () => {
    const collector = createAnswerCollector();
    for (const part of text("hi")) collector.add(part);
    expect(collector.answer().finishReason).toBeUndefined();
    collector.add(finish("length"));
    expect(collector.answer().finishReason).toBe("length");
  });

  it.each([100, 20_000, 200_000])(
    "keeps an input with %i levels of nesting as a string",
    (levels) => {
      const collector = createAnswerCollector();
      const input = `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
      collector.add(call("c", "Read", input));
      expect(collector.answer().parts).toEqual([
        { type: "tool-call", id: "c", name: "Read", input },
      ]);
    },
  );

  it("parses an input with 99 levels of nesting", () => {
    const collector = createAnswerCollector();
    collector.add(call("c", "Read", `{"a":${"[".repeat(99)}${"]".repeat(99)}}`));
    const [part] = collector.answer().parts;
    expect(part?.type === "tool-call" && typeof part.input).toBe("object");
  });

  it("throws an error that the stream reports", () => {
    const error = new Error("overloaded");
    expect(() => createAnswerCollector().add({ type: "error", error })).toThrow(error);
  });
});
