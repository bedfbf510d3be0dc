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

describe("a conversation as a prompt", () => {
  it("keeps thoughts and signatures for the model that had them", () => {
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

  it("shows another model the words and calls only", () => {
    const prompt = toPrompt({ system: "", messages: TALK, modelName: "b/two" });
    expect(prompt[1]).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "tool-call", toolCallId: "1", toolName: "Read", input: { file_path: "a" } },
      ],
    });
  });

  it("leaves out what says nothing, and no system message stands for no text", () => {
    const messages: readonly Message[] = [
      { role: "assistant", model: "a/one", parts: [{ type: "text", text: "" }] },
      { role: "user", text: "hi" },
    ];
    expect(toPrompt({ system: "", messages, modelName: "a/one" })).toEqual([
      { role: "user", content: [{ type: "text", text: "hi" }] },
    ]);
  });

  it("shows a call whose input was no JSON as an object, because providers take nothing else", () => {
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
