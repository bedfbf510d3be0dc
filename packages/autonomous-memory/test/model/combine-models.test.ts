import { describe, expect, it } from "vitest";
import { combineModels, type NamedModel } from "../../src/model/combine-models.ts";
import type { CompletionRequest, ModelRole } from "../../src/model/completion.ts";
import { PipelineError, type PipelineErrorCode } from "../../src/run/errors.ts";
import type { PipelineNotice } from "../../src/run/notice.ts";

function named(name: string, contextWindow: number, failure?: PipelineErrorCode): NamedModel {
  return {
    name,
    contextWindow,
    isLocal: false,
    complete: async () => {
      if (failure !== undefined) throw new PipelineError(failure, "no such model");
      return { text: name };
    },
  };
}

function request(role: ModelRole): CompletionRequest {
  return {
    role,
    system: "",
    input: "",
    schema: {},
    signal: new AbortController().signal,
    task: { kind: "extract", threadId: "t", updatedAt: "2026-11-16", turns: [] },
  };
}

describe("combineModels", () => {
  it("asks each role's own model", async () => {
    const model = combineModels({ default: named("large", 200_000), smol: named("small", 32_000) });
    expect(await model.complete(request("default"))).toEqual({ text: "large" });
    expect(await model.complete(request("smol"))).toEqual({ text: "small" });
    expect([model.contextWindow("default"), model.contextWindow("smol")]).toEqual([
      200_000, 32_000,
    ]);
  });

  it("never gives the small model more than its fallback can read", () => {
    const model = combineModels({ default: named("a", 32_000), smol: named("b", 1_000_000) });
    expect(model.contextWindow("smol")).toBe(32_000);
  });

  it("falls back to the default model for good, and reports it once", async () => {
    const notices: PipelineNotice[] = [];
    const model = combineModels({
      default: named("large", 200_000),
      smol: named("gone", 32_000, "SETUP"),
      onNotice: (notice) => notices.push(notice),
    });
    expect(await model.complete(request("smol"))).toEqual({ text: "large" });
    expect(await model.complete(request("smol"))).toEqual({ text: "large" });
    expect(notices).toMatchObject([{ code: "MODEL_UNAVAILABLE" }]);
  });

  it.for(["TRANSIENT", "PERMANENT", "OVERFLOW"] as const)(
    "keeps the small model after a failure with the code %s",
    async (code) => {
      const smol = named("small", 32_000, code);
      const model = combineModels({ default: named("large", 200_000), smol });
      await expect(model.complete(request("smol"))).rejects.toMatchObject({ code });
    },
  );

  it("lets any language model replace the extractions of rules, and of nothing else", () => {
    const cloud = named("large", 200_000);
    const local = { ...cloud, isLocal: true };
    expect(combineModels({ default: cloud, smol: cloud }).extractor).toEqual({
      id: "model/1",
      replaces: ["rules/1"],
    });
    expect(combineModels({ default: local, smol: local }).extractor).toEqual({
      id: "rules/1",
      replaces: [],
    });
  });
});
