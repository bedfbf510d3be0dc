// An agent of the OpenAI Agents SDK that remembers from one session to the next.
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadMemory, openTopicStore } from "@caliban/memory/node";
import { memoryTools } from "@caliban/tools-builtin/json-schema";
import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";

// Uses a temporary directory and leaves your files alone. In your agent: process.cwd() and { env: process.env }.
const directory = await mkdtemp(join(tmpdir(), "openai-agents-"));
const environment = { env: {}, home: directory };

const { store } = await openTopicStore({ workspace: directory, ...environment });
const tools = memoryTools(store, { notify: ({ message }) => console.log(message) }).map((each) =>
  // The SDK asks before a topic is deleted. Its run then ends with an interruption to approve.
  tool({ ...each, needsApproval: each.name === "DeleteMemoryTopic" }),
);

const server = createServer();
const runner = new Runner({ modelProvider: await provider(), tracingDisabled: true });
console.log(await session("Remember that we deploy with pnpm ship."));
console.log(await session("How do we deploy?"));
server.close();

async function session(prompt: string): Promise<string | undefined> {
  const { prefix } = await loadMemory({ directory, ...environment });
  const instructions = `${prefix}You are brief. Remember what is worth knowing in the next session.`;
  const agent = new Agent({ name: "assistant", instructions, tools, model: "gpt-5.4-mini" });
  return (await runner.run(agent, prompt)).finalOutput;
}

async function provider(): Promise<OpenAIProvider> {
  const { OPENAI_API_KEY: apiKey } = process.env;
  if (apiKey !== undefined) return new OpenAIProvider({ apiKey });
  server.on("request", async (request, response) => {
    const answer = scripted((await json(request)) as ScriptedRequest);
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return new OpenAIProvider({ apiKey: "none", baseURL: `http://127.0.0.1:${port}/v1` });
}

interface ScriptedRequest {
  readonly instructions: string;
  readonly input: readonly { readonly type?: string; readonly output?: string }[];
}

/** Replaces the API without a key: writes a topic, or reads the one that the index in its instructions lists. */
function scripted({ instructions, input }: ScriptedRequest): object {
  const [, known] = /\[([\w-]+)\]\(/.exec(instructions) ?? [];
  const result = input.find(({ type }) => type === "function_call_output")?.output;
  const topic = { name: "deploy", description: "how we deploy", type: "project" };
  const [name, args] =
    known === undefined
      ? ["WriteMemoryTopic", { ...topic, body: "With pnpm ship.", if_match: null }]
      : ["ReadMemoryTopic", { name: known }];
  const text = known === undefined ? "Noted." : (result?.split("\n").at(-1) ?? "");
  const call = { type: "function_call", call_id: "1", name, arguments: JSON.stringify(args) };
  const content = [{ type: "output_text", text, annotations: [] }];
  const message = { type: "message", role: "assistant", content };
  return {
    id: "resp_1",
    object: "response",
    status: "completed",
    output: [{ id: "item_1", status: "completed", ...(result === undefined ? call : message) }],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  };
}
