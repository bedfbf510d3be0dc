import { expect, it } from "vitest";
import { serverLines } from "../../../../src/commands/chat/terminal/connect-lines.ts";

it("says which model of a local server to choose", () => {
  const server = { provider: "ollama", baseUrl: "http://localhost:11434/v1" };
  expect(serverLines([{ ...server, models: ["qwen3", "llama4"] }])).toEqual([
    "ollama answers on localhost:11434. To use it: /model ollama/qwen3",
  ]);
  expect(serverLines([{ ...server, models: [] }])).toEqual([
    "ollama answers on localhost:11434. To use it: /model ollama/<model>",
  ]);
});
