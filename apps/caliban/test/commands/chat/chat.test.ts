import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isOfflineByDefault } from "../../../src/commands/chat/chat.ts";
import { machine } from "../../fake-host.ts";

describe("piped input with a prompt", () => {
  it("opens the conversation while it waits for piped input", async () => {
    const start = await machine();
    let told = "";
    const { caliban } = start.with({
      inputKind: () => "pipe",
      readInputWithin: async () => {
        // The hint is printed once the conversation is open.
        while (!told.includes("offline model")) await delay(1);
        return "a log";
      },
      stderr: (text) => void (told += text),
    });
    expect(await caliban("-p", "who are you?")).toMatchObject({ exitCode: 0 });
  });

  it("stops reading piped input when the conversation cannot be opened", async () => {
    const start = await machine();
    let reading: AbortSignal | undefined;
    const { caliban } = start.with({
      inputKind: () => "pipe",
      readInputWithin: async (_, signal) => {
        reading = signal;
        return await new Promise(() => undefined);
      },
    });
    expect(await caliban("-p", "hi", "--model", "unknown/x")).toMatchObject({ exitCode: 2 });
    expect(reading?.aborted).toBe(true);
  });

  it("stops waiting for piped input after an interruption", async () => {
    const start = await machine();
    const { caliban } = start.with({
      inputKind: () => "pipe",
      readInputWithin: async () => await new Promise(() => undefined),
      onInterrupt: (listener) => {
        const timer = setTimeout(() => listener("SIGINT"), 5);
        return () => clearTimeout(timer);
      },
    });
    expect(await caliban("-p", "hi")).toMatchObject({ exitCode: 130, stdout: "" });
  });
});

describe("the hint about the offline model", () => {
  const OFFLINE = "offline/rehearsal";

  it("tells a new user on one line which model answers, and how to connect another", async () => {
    const { caliban } = await machine();
    expect((await caliban("-p", "who are you?")).stderr).toMatch(
      /^caliban: no API key found, so the built-in offline model is answering.*ANTHROPIC_API_KEY \(or run: caliban doctor\)\.\n$/,
    );
  });

  it("says nothing about keys when the settings name the offline model", async () => {
    const { caliban } = await machine();
    await caliban("settings", "set", "models.default", OFFLINE);
    expect((await caliban("-p", "who are you?")).stderr).toBe("");
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
  ] as const)("is not shown when %s", ([, model, env, requested]) => {
    expect(isOfflineByDefault(model, { env, requested })).toBe(false);
  });
});
