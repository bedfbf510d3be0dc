import type { Message } from "@caliban/agent-core";
import { parseTranscript, renderRecord, replay, type SessionMessage } from "@caliban/sessions";
import { expect, it } from "vitest";

// Neither package imports the other. This test checks that their message types are compatible: it must compile.
const toSession = (message: Message): SessionMessage => message;
const toAgent = (message: SessionMessage): Message => message;

const MESSAGES: readonly Message[] = [
  { role: "user", text: "How do we deploy?", note: "Earlier: nothing." },
  {
    role: "assistant",
    model: "anthropic/claude",
    parts: [
      { type: "reasoning", text: "", metadata: { anthropic: { signature: "c2ln", nested: [1] } } },
      { type: "text", text: "I look." },
      { type: "tool-call", id: "c1", name: "Read", input: { path: "README.md" } },
    ],
    usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 3 },
    cut: "length",
  },
  { role: "tool", results: [{ id: "c1", name: "Read", text: "pnpm ship", isError: false }] },
];

it("reads every message of the agent back from a session file unchanged", () => {
  const lines = MESSAGES.map((message, index) =>
    renderRecord({ type: "message", id: `m${index + 1}`, at: "", message: toSession(message) }),
  );
  const { messages } = replay(parseTranscript(lines.join("")));
  expect(messages.map(toAgent)).toEqual(MESSAGES);
});
