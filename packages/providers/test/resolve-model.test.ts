import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyValues, keyVariables } from "../src/key-variables.ts";
import type { ProviderTable } from "../src/provider-settings.ts";
import { resolveModel, type ResolveModelInput } from "../src/resolve-model.ts";
import { resolveRoles } from "../src/resolve-roles.ts";

const input = (
  env: Readonly<Record<string, string>> = {},
  values: Partial<ResolveModelInput["values"]> = {},
): ResolveModelInput => ({
  env,
  values: {
    "models.default": undefined,
    "models.smol": undefined,
    "models.context_window": undefined,
    providers: {},
    ...values,
  },
});
const nameOf = (chosen: ReturnType<typeof resolveModel>): string =>
  "problem" in chosen ? chosen.problem.message : chosen.name;

const KEYS = {
  ANTHROPIC_API_KEY: "a",
  OPENAI_API_KEY: "o",
  GOOGLE_GENERATIVE_AI_API_KEY: "g",
  GEMINI_API_KEY: "g2",
  OPENROUTER_API_KEY: "r",
};

describe("without a model name", () => {
  it.for([
    [{}, "offline/rehearsal"],
    [{ ANTHROPIC_API_KEY: " " }, "offline/rehearsal"],
    [KEYS, "anthropic/claude-sonnet-5-5"],
    [{ OPENROUTER_API_KEY: "r", OPENAI_API_KEY: "o" }, "openai/gpt-6.1-sol"],
    [{ OPENROUTER_API_KEY: "r", GEMINI_API_KEY: "g" }, "google/gemini-pro-latest"],
    [{ OPENROUTER_API_KEY: "r" }, "openrouter/openrouter/auto"],
  ] as const)("the environment %j selects %s", ([env, expected]) => {
    expect(nameOf(resolveModel(undefined, input(env)))).toBe(expected);
  });

  it("uses the model of the settings, which an explicit name overrides", () => {
    const both = input(KEYS, { "models.default": "openai/x", "models.smol": "google/y" });
    expect(nameOf(resolveModel(undefined, both))).toBe("openai/x");
    expect(nameOf(resolveModel("anthropic/z", both))).toBe("anthropic/z");
  });
});

describe("both roles", () => {
  it("uses one model for both without a small one", () => {
    const roles = resolveRoles(input(KEYS, { "models.context_window": 5 }));
    expect(roles).toMatchObject({ default: { contextWindow: 5 }, smol: { contextWindow: 5 } });
  });

  it("replaces a small model that is not available, and says why", () => {
    const env = { OPENAI_API_KEY: "o" };
    const roles = resolveRoles(input(env, { "models.smol": "anthropic/claude-haiku-5-5" }));
    expect(roles).toMatchObject({
      smol: { provider: "openai" },
      smolProblem: { code: "MISSING_KEY", keyVariable: "ANTHROPIC_API_KEY" },
    });
    const both = resolveRoles(input(KEYS, { "models.smol": "google/y" }));
    expect(both).toMatchObject({ default: { provider: "anthropic" }, smol: { name: "google/y" } });
    expect(both).not.toHaveProperty("smolProblem");
  });

  it("reports a main model that is not available", () => {
    expect(resolveRoles(input({}, { "models.default": "openai/x" }))).toMatchObject({
      problem: { code: "MISSING_KEY" },
    });
  });
});

describe("the role smol", () => {
  it("resolves the smol role to its setting, or to the model that answers", () => {
    const smol = { role: "smol" } as const;
    const set = input(KEYS, { "models.default": "openai/x", "models.smol": "google/y" });
    expect(nameOf(resolveModel("anthropic/z", { ...set, ...smol }))).toBe("google/y");
    const unset = input(KEYS, { "models.default": "openai/x" });
    expect(nameOf(resolveModel("anthropic/z", { ...unset, ...smol }))).toBe("anthropic/z");
    expect(nameOf(resolveModel(undefined, { ...unset, ...smol }))).toBe("openai/x");
    expect(nameOf(resolveModel(undefined, { ...input(), ...smol }))).toBe("offline/rehearsal");
  });
});

describe("a provider", () => {
  it("resolves a known provider to its address and key variable", () => {
    expect(resolveModel("google/gemini-x", input({ GEMINI_API_KEY: "g" }))).toEqual({
      name: "google/gemini-x",
      provider: "google",
      model: "gemini-x",
      api: "google",
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
      keyVariable: "GEMINI_API_KEY",
      contextWindow: 1_000_000,
      acceptsImages: true,
    });
    expect(resolveModel("ollama/qwen3:8b", input())).toMatchObject({
      api: "openai-compatible",
      baseUrl: "http://localhost:11434/v1",
      keyVariable: undefined,
      contextWindow: 32_000,
    });
    expect(resolveModel("openrouter/meta/llama:free", input(KEYS))).toMatchObject({
      provider: "openrouter",
      model: "meta/llama:free",
    });
  });

  it("resolves a provider that the settings describe", () => {
    const providers: ProviderTable = {
      box: { base_url: "http://box:1/v1", context_window: 9000 },
      work: { api: "anthropic", api_key_env: "WORK_KEY" },
      ollama: { base_url: "http://far:2/v1" },
      anthropic: { base_url: "http://gateway:3/v1" },
      empty: { api_key_env: "WORK_KEY" },
    };
    const own = input({ WORK_KEY: "w" }, { providers });
    expect(resolveModel("box/m", own)).toMatchObject({
      api: "openai-compatible",
      baseUrl: "http://box:1/v1",
      keyVariable: undefined,
      contextWindow: 9000,
    });
    expect(resolveModel("work/m", own)).toMatchObject({
      api: "anthropic",
      baseUrl: "https://api.anthropic.com/v1",
      keyVariable: "WORK_KEY",
    });
    expect(resolveModel("ollama/m", own)).toMatchObject({ baseUrl: "http://far:2/v1" });
    expect(resolveModel("anthropic/m", own)).toMatchObject({ baseUrl: "http://gateway:3/v1" });
    expect(nameOf(resolveModel("empty/m", own))).toContain("no base_url is set for empty");
  });

  it("never uses the key of another provider", () => {
    const providers = { work: { api: "anthropic", base_url: "http://work:1" } } as const;
    expect(resolveModel("work/m", input(KEYS, { providers }))).toMatchObject({
      keyVariable: undefined,
    });
  });

  it("says which variable to set for a provider that requires a key", () => {
    expect(resolveModel("anthropic/m", input())).toMatchObject({
      problem: {
        code: "MISSING_KEY",
        keyVariable: "ANTHROPIC_API_KEY",
        message:
          "anthropic requires an API key. Set ANTHROPIC_API_KEY (see docs/providers.md), or use the built-in model: caliban --model offline/rehearsal",
      },
    });
    const providers = { box: { base_url: "http://box:1", api_key_env: "BOX_KEY" } };
    expect(nameOf(resolveModel("box/m", input(KEYS, { providers })))).toContain("Set BOX_KEY");
  });
});

describe("a key", () => {
  it.for(["two words", "line\nbreak", "„quoted“"])(
    "rejects the invalid key %j without repeating it",
    (key) => {
      const message = nameOf(resolveModel("openai/x", input({ OPENAI_API_KEY: key })));
      expect(message).toContain("OPENAI_API_KEY contains characters that are not valid in a key");
      expect(message).not.toContain(key);
    },
  );

  it("accepts a key with white space around it", () => {
    const chosen = resolveModel("openai/x", input({ OPENAI_API_KEY: " sk-1\n" }));
    expect(chosen).toMatchObject({ keyVariable: "OPENAI_API_KEY" });
  });
});

describe("an invalid name", () => {
  it.for([
    ["sonnet", "such as anthropic/claude-sonnet-5-5"],
    ["haiku", "such as anthropic/claude-haiku-5-5"],
    ["gpt-6.1-sl", "such as openai/gpt-6.1-sol"],
    ["gemini", "such as google/gemini-pro-latest"],
    ["anthropic", "such as anthropic/claude-sonnet-5-5"],
    ["anthropic/", "such as anthropic/claude-sonnet-5-5"],
    ["/x", "such as anthropic/claude-sonnet-5-5 or ollama/<model>"],
    ["", "such as anthropic/claude-sonnet-5-5 or ollama/<model>"],
    ["antropic/x", "Did you mean anthropic?"],
    ["toString/x", 'unknown provider "toString"'],
    ["__proto__/x", 'unknown provider "__proto__"'],
    ["offline/x", 'unknown offline model "offline/x"'],
  ] as const)("answers the invalid name %j with a message that contains %j", ([name, expected]) => {
    expect(nameOf(resolveModel(name, input(KEYS)))).toContain(expected);
  });

  it("never throws for a name, and never shows a key", () => {
    const words = fc.array(fc.constantFrom("a", "/", "openai", "offline", "x", "."), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(words, (parts) => {
        const env = { OPENAI_API_KEY: "s3cr3tkey" };
        const chosen = resolveModel(parts.join(""), input(env));
        expect(JSON.stringify(chosen)).not.toContain("s3cr3tkey");
      }),
    );
  });
});

describe("the context window", () => {
  it.for([
    ["anthropic/claude-x", 200_000],
    ["openai/gpt-6.1-sol", 272_000],
    ["openai/gpt-4o-mini", 128_000],
    ["openai/o3", 200_000],
    ["openrouter/anthropic/claude-x", 200_000],
    ["openrouter/unknown/x", 32_000],
    ["vllm/claude-lookalike", 32_000],
  ] as const)("of %s is %i tokens", ([name, expected]) => {
    expect(resolveModel(name, input(KEYS))).toMatchObject({ contextWindow: expected });
  });

  it("prefers the context window of the settings for the model that answers", () => {
    const values = {
      "models.context_window": 5000,
      "models.smol": "openai/gpt-6-luna",
      providers: { openai: { context_window: 7000 } },
    };
    expect(resolveModel("openai/x", input(KEYS, values))).toMatchObject({ contextWindow: 5000 });
    expect(resolveModel("openai/x", { ...input(KEYS, values), role: "smol" })).toMatchObject({
      contextWindow: 7000,
    });
  });
});

describe("key variables", () => {
  it("lists the key variables of all providers and of the settings once", () => {
    const names = keyVariables({
      a: { api_key_env: "A_KEY" },
      b: { api_key_env: "OPENAI_API_KEY" },
    });
    expect(names).toEqual([
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "GOOGLE_GENERATIVE_AI_API_KEY",
      "GEMINI_API_KEY",
      "OPENROUTER_API_KEY",
      "A_KEY",
    ]);
  });

  it("lists the keys to mask, longest first, without those short enough to mask words", () => {
    const env = { A_KEY: "12345678", OPENAI_API_KEY: "123456789 ", GEMINI_API_KEY: "short" };
    expect(keyValues({ a: { api_key_env: "A_KEY" } }, env)).toEqual(["123456789", "12345678"]);
  });
});
