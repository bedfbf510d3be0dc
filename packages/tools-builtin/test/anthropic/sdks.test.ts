import { createAnthropic } from "@ai-sdk/anthropic";
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { generateText, stepCountIs } from "ai";
import { describe, expect, it } from "vitest";
import { anthropicMemoryHandler } from "../../src/anthropic/anthropic-memory-handler.ts";
import { STORES } from "./memory-stores.ts";

const COMMANDS = [
  { command: "view", path: "/memories" },
  { command: "create", path: "/memories/deploy.md", file_text: "Migrations first.\n" },
  {
    command: "str_replace",
    path: "/memories/deploy.md",
    old_str: "Mig",
    new_str: "The mig",
  },
  {
    command: "insert",
    path: "/memories/deploy.md",
    insert_line: 1,
    insert_text: "Then the flag.\n",
  },
  { command: "view", path: "/memories/deploy.md", view_range: [1, -1] },
  { command: "rename", old_path: "/memories/deploy.md", new_path: "/memories/ship.md" },
  { command: "delete", path: "/memories/none.md" },
];
const RESULTS = [
  /^Here're the files/,
  /^File created successfully at: \/memories\/deploy\.md$/,
  /^The memory file has been edited\. Here is the snippet .*\n {5}1\tThe migrations first\.\n/,
  /^The file \/memories\/deploy\.md has been edited\.$/,
  /\n {5}1\tThe migrations first\.\n {5}2\tThen the flag\.\n {5}3\t$/,
  /^Successfully renamed/,
  /^Error: The path \/memories\/none\.md does not exist$/,
];
const IS_ERROR = RESULTS.map((_, at) => at === RESULTS.length - 1);

interface Body {
  readonly tools: readonly object[];
  readonly messages: readonly { readonly content: unknown }[];
}

/** A fake API that returns one command after another, then a text. Records the requests. */
function scriptedApi(): { readonly bodies: Body[]; readonly fetch: typeof globalThis.fetch } {
  const bodies: Body[] = [];
  return {
    bodies,
    fetch: async (_input, init) => {
      const sent = init?.body;
      if (typeof sent !== "string") throw new TypeError("the request body must be a string");
      bodies.push(JSON.parse(sent) as Body);
      const input = COMMANDS[bodies.length - 1];
      const call = { type: "tool_use", id: `toolu_${bodies.length}`, name: "memory", input };
      return Response.json({
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude",
        content: [input === undefined ? { type: "text", text: "Noted." } : call],
        stop_reason: input === undefined ? "end_turn" : "tool_use",
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      });
    },
  };
}

/** The results that were sent to the model. */
function results(bodies: readonly Body[]): readonly string[] {
  return bodies.slice(1).map(({ messages }) => {
    const sent = JSON.stringify(messages.at(-1)?.content);
    const texts: string[] = [];
    JSON.parse(sent, (key, value: unknown) => {
      if (typeof value === "string" && (key === "text" || key === "content")) texts.push(value);
      return value;
    });
    return texts.join();
  });
}

/** Whether each result was sent as an error. */
function errors(bodies: readonly Body[]): readonly boolean[] {
  return bodies
    .slice(1)
    .map(({ messages }) => JSON.stringify(messages.at(-1)?.content).includes('"is_error":true'));
}

describe.for(STORES)("the handler with a store $kind", ({ open }) => {
  it("works as the memory tool of the Anthropic SDK", async () => {
    const { bodies, fetch } = scriptedApi();
    const store = await open();
    const client = new Anthropic({ apiKey: "none", fetch });
    const message = await client.beta.messages.toolRunner({
      model: "claude-sonnet-5-5",
      max_tokens: 1_000,
      messages: [{ role: "user", content: "Remember how we deploy." }],
      tools: [betaMemoryTool(anthropicMemoryHandler(store))],
    });
    expect(message.content).toMatchObject([{ type: "text", text: "Noted." }]);
    expect(bodies[0]?.tools).toEqual([{ type: "memory_20250818", name: "memory" }]);
    expect(results(bodies)).toEqual(RESULTS.map((text) => expect.stringMatching(text) as unknown));
    expect(errors(bodies)).toEqual(IS_ERROR);
    expect((await store.read("ship"))?.topic.body).toBe("The migrations first.\nThen the flag.");
  });

  it("works as the memory tool of the AI SDK", async () => {
    const { bodies, fetch } = scriptedApi();
    const store = await open();
    const anthropic = createAnthropic({ apiKey: "none", fetch });
    const { execute } = anthropicMemoryHandler(store);
    const { text } = await generateText({
      model: anthropic("claude-sonnet-5-5"),
      tools: { memory: anthropic.tools.memory_20250818({ execute }) },
      prompt: "Remember how we deploy.",
      stopWhen: stepCountIs(10),
    });
    expect(text).toBe("Noted.");
    expect(bodies[0]?.tools).toEqual([{ type: "memory_20250818", name: "memory" }]);
    expect(results(bodies)).toEqual(RESULTS.map((said) => expect.stringMatching(said) as unknown));
    expect(errors(bodies)).toEqual(IS_ERROR);
    expect((await store.read("ship"))?.topic.body).toBe("The migrations first.\nThen the flag.");
  });
});
