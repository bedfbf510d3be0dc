import { expect, it } from "vitest";
import { acceptsImages } from "../src/accepts-images.ts";

it.each([
  ["claude-sonnet-5-5", true],
  ["anthropic/claude-opus-5-5", true],
  ["gpt-6.1-sol", true],
  ["openai/gpt-4o-mini", true],
  ["gemini-flash-latest", true],
  ["qwen2.5vl:7b", true],
  ["qwen3-vl:8b", true],
  ["gemma3:12b", true],
  ["llama3.2-vision", true],
  ["gpt-3.5-turbo", false],
  ["gpt-4", false],
  ["o3-mini", false],
  ["claude-2.1", false],
  ["qwen3:8b", false],
  ["llama3.1", false],
])("knows from the name %s whether the model accepts images", (model, expected) => {
  expect(acceptsImages({ model, images: undefined })).toBe(expected);
});

it("lets the settings decide about a model, whatever its name says", () => {
  expect(acceptsImages({ model: "my-model", images: true })).toBe(true);
  expect(acceptsImages({ model: "gpt-4o", images: false })).toBe(false);
});
