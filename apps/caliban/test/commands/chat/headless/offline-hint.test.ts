import { expect, it } from "vitest";
import { offlineHint } from "../../../../src/commands/chat/headless/offline-hint.ts";

const OFFLINE = "offline/rehearsal";

it("tells a new user on one line which model answers, and how to connect another", () => {
  const hint = offlineHint(OFFLINE, { env: {}, requested: undefined });
  expect(hint).toMatch(
    /^no API key found, so the built-in offline model is answering.*ANTHROPIC_API_KEY[^\n]*$/,
  );
});

it.for([
  ["a real model answers", "openai/x", {}, undefined],
  ["the offline model was named", OFFLINE, {}, OFFLINE],
  [
    "a key is set, so the settings chose the offline model",
    OFFLINE,
    { GEMINI_API_KEY: "k" },
    undefined,
  ],
] as const)("gives no hint when %s", ([, model, env, requested]) => {
  expect(offlineHint(model, { env, requested })).toBeUndefined();
});
