import { expect, it } from "vitest";
import { offlineHint } from "../../../../src/commands/chat/headless/offline-hint.ts";

const OFFLINE = "offline/rehearsal";

it("tells a newcomer on one line who answers, and how to connect a model", () => {
  const hint = offlineHint(OFFLINE, { env: {}, wanted: undefined });
  expect(hint).toMatch(/^no key is set, so the offline model answers.*ANTHROPIC_API_KEY[^\n]*$/);
});

it.for([
  ["a real model answers", "openai/x", {}, undefined],
  ["the offline model was named", OFFLINE, {}, OFFLINE],
  ["a key is set, so that it was chosen", OFFLINE, { GEMINI_API_KEY: "k" }, undefined],
] as const)("says nothing when %s", ([, model, env, wanted]) => {
  expect(offlineHint(model, { env, wanted })).toBeUndefined();
});
