// Anthropic's memory tool on a directory of plain Markdown, with the same checks as caliban's own tools.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { createFsTopicStore } from "@caliban/memory/node";
import { anthropicMemoryHandler } from "@caliban/tools-builtin/anthropic";

// In your agent: a permanent directory.
const store = createFsTopicStore({ directory: await mkdtemp(join(tmpdir(), "memories-")) });
const memory = betaMemoryTool(
  anthropicMemoryHandler(store, { notify: ({ message }) => console.log(message) }),
);

const { ANTHROPIC_API_KEY: key } = process.env;
const client =
  key === undefined ? new Anthropic({ apiKey: "none", fetch: scripted() }) : new Anthropic();
const answer = await client.beta.messages.toolRunner({
  model: "claude-sonnet-5-5",
  max_tokens: 4_000,
  messages: [{ role: "user", content: "Remember: migrations run before the flag is flipped." }],
  tools: [memory],
});
console.log(answer.content.map((block) => (block.type === "text" ? block.text : "")).join(""));

// The model wrote a topic like any other: it has a type, is in the index, and can be undone.
for (const { slug, type, description } of (await store.list()).topics) {
  console.log(`${slug} (${type}): ${description}`);
  console.log((await store.read(slug))?.topic.body);
}
const { undone } = await store.undo({ author: { who: "person" } });
console.log(`undone: ${undone.action} of ${undone.files.map(({ slug }) => slug).join(", ")}`);

/** Replaces the API without a key: sends one command after the other, then a text. */
function scripted(): typeof fetch {
  const path = "/memories/app/deploy.txt";
  const commands: unknown[] = [
    { command: "view", path: "/memories" },
    { command: "create", path, file_text: "First the migrations.\n" },
    { command: "insert", path, insert_line: 1, insert_text: "Then the flag." },
    { command: "create", path: "/memories/../escape.md", file_text: "Out of here." },
  ];
  return async () => {
    const input = commands.shift();
    const call = { type: "tool_use", id: `toolu_${commands.length}`, name: "memory", input };
    return Response.json({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "scripted",
      content: [input === undefined ? { type: "text", text: "Noted." } : call],
      stop_reason: input === undefined ? "end_turn" : "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  };
}
