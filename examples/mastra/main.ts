// A Mastra agent with two memories: one for the project, and one for each user.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TopicStore } from "@caliban/memory";
import { createFsTopicStore } from "@caliban/memory/node";
import { memoryTools } from "@caliban/tools-builtin/mastra";
import { Agent } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { RequestContext } from "@mastra/core/request-context";

// In your agent: permanent directories, or any other topic store.
const directory = await mkdtemp(join(tmpdir(), "mastra-"));
const project = createFsTopicStore({ directory: join(directory, "project") });
const notify = ({ message }: { readonly message: string }): void => console.log(message);

const agent = new Agent({
  id: "assistant",
  name: "assistant",
  instructions: "You are brief. Remember what is worth knowing. Search memory before you answer.",
  model: process.env["OPENAI_API_KEY"] === undefined ? scripted() : "openai/gpt-5.4-mini",
  tools: ({ requestContext }) => {
    const user = String(requestContext.get("user"));
    return {
      ...memoryTools(project, { user, notify }),
      ...memoryTools(storeOf(user), { prefix: "user_", user, notify }),
    };
  },
});

console.log(await ask("ada", "Remember that I use vim."));
console.log(await ask("bob", "Which editor do I use?"));
console.log(await ask("ada", "Which editor do I use?"));

async function ask(user: string, message: string): Promise<string> {
  const requestContext = new RequestContext([["user", user]]);
  const { text } = await agent.generate(message, { requestContext });
  return `${user}: ${text}`;
}

/** A store for each user: what one user's agent writes, no other user's agent can read. */
function storeOf(user: string): TopicStore {
  if (!/^[a-z0-9-]+$/.test(user)) throw new Error(`invalid user ${user}`);
  return createFsTopicStore({ directory: join(directory, "users", user), scope: "user" });
}

/** Replaces the model without a key: writes a topic, or searches the memory of the user. */
function scripted(): MastraModelConfig {
  const known = { provider: "scripted", modelId: "scripted", supportedUrls: {} };
  return { specificationVersion: "v3", ...known, doGenerate: generate, doStream: unsupported };
}

type Scripted = Extract<MastraModelConfig, { readonly specificationVersion: "v3" }>;

async function generate({ prompt }: Parameters<Scripted["doGenerate"]>[0]) {
  const conversation = JSON.stringify(prompt);
  const isQuestion = conversation.includes("Which editor");
  const topic = { name: "editor", description: "uses vim", type: "user", body: "Vim." };
  const [toolName, input] = isQuestion
    ? ["user_MemorySearch", { query: "editor" }]
    : ["user_WriteMemoryTopic", topic];
  const call = { toolCallId: "1", toolName, input: JSON.stringify(input) };
  const [, found = "I do not know."] = /editor \(user[^)]*\): (.*?)\\n/.exec(conversation) ?? [];
  const isDone = prompt.some(({ role }) => role === "tool");
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const stop = { unified: isDone ? ("stop" as const) : ("tool-calls" as const), raw: undefined };
  const part = isDone
    ? { type: "text" as const, text: isQuestion ? found : "Noted." }
    : { type: "tool-call" as const, ...call };
  return { content: [part], finishReason: stop, usage, warnings: [] };
}

async function unsupported(): Promise<never> {
  throw new Error("the script does not stream");
}
