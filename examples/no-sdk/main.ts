// An agent without an SDK: a prompt that starts with memory, tools that are plain functions, and a loop.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolRunner } from "@caliban/agent-core";
import { loadMemory, openTopicStore } from "@caliban/memory/node";
import { createMemoryTools } from "@caliban/tools-builtin";

// Uses a temporary directory and leaves your files alone. In your agent: process.cwd() and { env: process.env }.
const directory = await mkdtemp(join(tmpdir(), "no-sdk-"));
const environment = { env: {}, home: directory };

const { store } = await openTopicStore({ workspace: directory, ...environment });
const tools = createMemoryTools({ store, now: Date.now });
const runner = createToolRunner({ tools, notify: ({ message }) => console.log(message) });

console.log(await session("Remember that we deploy with pnpm ship."));
console.log(await session("How do we deploy?"));

async function session(prompt: string): Promise<string> {
  const { prefix } = await loadMemory({ directory, ...environment });
  const system = `${prefix}You are brief. Remember what is worth knowing in the next session.`;
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: prompt }] }];
  for (;;) {
    const reply = await ask(system, messages);
    const calls = reply.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return reply.map(({ text }) => text).join("");
    const results = calls.map(async ({ id, name = "", input }) => {
      const { text, isError = false } = await runner.run({ name, input });
      return { type: "tool_result", tool_use_id: id, content: text, is_error: isError };
    });
    messages.push({ role: "assistant", content: reply });
    messages.push({ role: "user", content: await Promise.all(results) });
  }
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: string;
}
type Message = { readonly role: "user" | "assistant"; readonly content: readonly Block[] };

async function ask(system: string, messages: readonly Message[]): Promise<readonly Block[]> {
  const { ANTHROPIC_API_KEY: key } = process.env;
  if (key === undefined) return [scripted(system, messages)];
  const definitions = tools.map(({ name, description, inputSchema: input_schema }) => {
    return { name, description, input_schema };
  });
  const request = { model: "claude-sonnet-5-5", max_tokens: 4_000, system, messages };
  const response = await fetch("https://api.anthropic.com/v1/messages", {
    method: "POST",
    headers: {
      "x-api-key": key,
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
    },
    body: JSON.stringify({ ...request, tools: definitions }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as { content: readonly Block[] }).content;
}

/** Replaces the model without a key: writes a topic, or reads the one that the index in its prompt lists. */
function scripted(system: string, messages: readonly Message[]): Block {
  const result = messages.at(-1)?.content[0]?.content;
  const [, known] = /\[([\w-]+)\]\(/.exec(system) ?? [];
  const call = { type: "tool_use", id: "1" };
  const topic = { name: "deploy", description: "how we deploy", type: "project" };
  if (known === undefined) {
    const input = { ...topic, body: "With pnpm ship." };
    return result ? { type: "text", text: "Noted." } : { ...call, name: "WriteMemoryTopic", input };
  }
  return result === undefined
    ? { ...call, name: "ReadMemoryTopic", input: { name: known } }
    : { type: "text", text: result.split("\n").at(-1) ?? "" };
}
