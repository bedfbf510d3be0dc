import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { toPrompt } from "@caliban/agent-core";
import type { ProviderApi } from "../../src/provider-settings.ts";
import { describe, expect, it } from "vitest";
import { APIS, ask, finishOf, wire } from "./wire.ts";

const DATA = "iVBORw0KGgo=";
const image = { mediaType: "image/png", width: 2, height: 3, data: DATA };

const prompt: LanguageModelV4Prompt = toPrompt({
  system: "You are a test.",
  modelName: "acme/model",
  messages: [
    { role: "user", text: "See", attachments: [{ type: "image", name: "a.png", image }] },
    {
      role: "assistant",
      model: "acme/model",
      parts: [{ type: "tool-call", id: "c1", name: "Read", input: { path: "b.png" } }],
    },
    {
      role: "tool",
      results: [{ id: "c1", name: "Read", text: "b.png", isError: false, images: [image] }],
    },
  ],
});

/** How each API spells an image. */
const SPELLED: Readonly<Record<ProviderApi, unknown>> = {
  anthropic: { type: "image", source: { type: "base64", media_type: "image/png", data: DATA } },
  openai: { type: "input_image", image_url: `data:image/png;base64,${DATA}` },
  google: { inlineData: { mimeType: "image/png", data: DATA } },
  "openai-compatible": { type: "image_url", image_url: { url: `data:image/png;base64,${DATA}` } },
};

describe.for(APIS)("images over $api", (row) => {
  it("sends images with a message and after the result of a tool", async () => {
    const { server, model } = await wire(row, { script: [{ text: "Two." }] });
    const outcome = await ask(model, { prompt });
    expect(outcome.thrown).toBeUndefined();
    expect(finishOf(outcome)).toEqual(["stop"]);
    const sent: unknown = JSON.parse(server.requests[0]?.text ?? "null");
    expect(objectsIn(sent).filter((value) => JSON.stringify(value).includes(DATA))).toEqual(
      expect.arrayContaining([expect.objectContaining(SPELLED[row.api] as object)]) as unknown[],
    );
    expect(server.requests[0]?.text.split(DATA)).toHaveLength(3);
  });
});

function objectsIn(value: unknown): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
