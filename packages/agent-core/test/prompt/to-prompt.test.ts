import { describe, expect, it } from "vitest";
import type { Message } from "../../src/message.ts";
import { toPrompt } from "../../src/prompt/to-prompt.ts";

const signed = { anthropic: { signature: "abc" } };

const TALK: readonly Message[] = [
  { role: "user", text: "look", note: "today is Monday" },
  {
    role: "assistant",
    model: "a/one",
    parts: [
      { type: "reasoning", text: "hm", metadata: signed },
      { type: "text", text: "I look.", metadata: signed },
      { type: "tool-call", id: "1", name: "Read", input: { file_path: "a" } },
    ],
  },
  { role: "tool", results: [{ id: "1", name: "Read", text: "gone", isError: true }] },
];

describe("toPrompt", () => {
  it("keeps reasoning and signatures for the model that wrote them", () => {
    expect(toPrompt({ system: "S", messages: TALK, modelName: "a/one" })).toEqual([
      { role: "system", content: "S" },
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "text", text: "today is Monday" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm", providerOptions: signed },
          { type: "text", text: "I look.", providerOptions: signed },
          { type: "tool-call", toolCallId: "1", toolName: "Read", input: { file_path: "a" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "1",
            toolName: "Read",
            output: { type: "error-text", value: "gone" },
          },
        ],
      },
    ]);
  });

  it("shows another model only the text and the calls", () => {
    const prompt = toPrompt({ system: "", messages: TALK, modelName: "b/two" });
    expect(prompt[1]).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "tool-call", toolCallId: "1", toolName: "Read", input: { file_path: "a" } },
      ],
    });
  });

  it("omits empty messages and an empty system prompt", () => {
    const messages: readonly Message[] = [
      { role: "assistant", model: "a/one", parts: [{ type: "text", text: "" }] },
      { role: "user", text: "hi" },
    ];
    expect(toPrompt({ system: "", messages, modelName: "a/one" })).toEqual([
      { role: "user", content: [{ type: "text", text: "hi" }] },
    ]);
  });

  it("wraps call input that is not JSON in an object, because providers accept nothing else", () => {
    const messages: readonly Message[] = [
      {
        role: "assistant",
        model: "a/one",
        parts: [{ type: "tool-call", id: "1", name: "Read", input: "{bro" }],
      },
    ];
    expect(toPrompt({ system: "", messages, modelName: "a/one" })[0]).toMatchObject({
      content: [{ input: { unreadable: "{bro" } }],
    });
  });
});
