// An AI SDK agent that remembers from one session to the next.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { anthropic } from "@ai-sdk/anthropic";
import { loadMemory, openTopicStore } from "@caliban/memory/node";
import { memoryTools } from "@caliban/tools-builtin/ai-sdk";
import { ToolLoopAgent } from "ai";
import { MockLanguageModelV4 } from "ai/test";

// Uses a temporary directory and leaves your files alone. In your agent: process.cwd() and { env: process.env }.
const directory = await mkdtemp(join(tmpdir(), "ai-sdk-"));
const environment = { env: {}, home: directory };

const { store } = await openTopicStore({ workspace: directory, ...environment });
const { ANTHROPIC_API_KEY: key } = process.env;
const model = key === undefined ? scripted() : anthropic("claude-sonnet-5-5");

console.log(await session("Remember that we deploy with pnpm ship."));
console.log(await session("How do we deploy?"));

async function session(prompt: string): Promise<string> {
  const { prefix } = await loadMemory({ directory, ...environment });
  const agent = new ToolLoopAgent({
    model,
    instructions: `${prefix}You are a brief assistant. Remember what is worth knowing in the next session.`,
    tools: memoryTools(store, { notify: ({ message }) => console.log(message) }),
  });
  const { text } = await agent.generate({ prompt });
  return text;
}

/** Replaces the model without a key: writes a topic, or reads the one that the index in its prompt lists. */
function scripted(): MockLanguageModelV4 {
  const topic = { name: "deploy", description: "how we deploy", type: "project" };
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const [, known] = /\[([\w-]+)\]\(/.exec(JSON.stringify(prompt[0])) ?? [];
      const [part] = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
      const result =
        part?.type === "tool-result" && part.output.type === "text" ? part.output.value : undefined;
      const [toolName, input] =
        known === undefined
          ? ["WriteMemoryTopic", { ...topic, body: "With pnpm ship." }]
          : ["ReadMemoryTopic", { name: known }];
      const text = known === undefined ? "Noted." : (result?.split("\n").at(-1) ?? "");
      return {
        content: [
          result === undefined
            ? { type: "tool-call", toolCallId: "1", toolName, input: JSON.stringify(input) }
            : { type: "text", text },
        ],
        finishReason: { unified: result === undefined ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
