import { createToolRunner, type Tool } from "@caliban/agent-core";
import { createMapTopicStore, type Proposal, type TopicStore } from "@caliban/memory";
import { openInbox } from "@caliban/memory/node";
import { createMemoryTools } from "../../../src/memory/memory-tools.ts";
import type { Channel, OrdinarySave, Poisoning } from "./conversation.ts";
import { EXISTING } from "./poisonings.ts";

/** What a conversation left behind. */
export interface Played {
  readonly store: TopicStore;
  readonly proposals: readonly Proposal[];
  /** What the tools answered to each change. */
  readonly answers: readonly string[];
}

const PERMISSIONS: Readonly<Record<Channel, string>> = {
  readme: "fs.read",
  command: "shell.run",
  web: "web.fetch",
  mcp: "mcp.docs",
  memory: "memory.read",
  transcript: "memory.search",
  pasted: "fs.read",
};

/** Plays a conversation in which the model reads a text and obeys it, with real tools, a real store and a real inbox. */
export async function playPoisoning(attempt: Poisoning, directory: string): Promise<Played> {
  const store = createMapTopicStore();
  for (const topic of EXISTING) {
    const author = { who: "agent", origin: topic.name === "pool" ? "tool" : "user" } as const;
    await store.write({ ...topic, applies: undefined, author });
  }
  const reading = shows("Look", PERMISSIONS[attempt.channel], attempt.text);
  const { run, onUserMessage, inbox } = open(store, [reading], directory);
  const [first = "", ...later] = attempt.user;
  onUserMessage(first);
  if (attempt.text !== "") await run("Look", {});
  for (const message of later) onUserMessage(message);
  const { saves = [], edits = [], deletes = [] } = attempt;
  const hashOf = async (name: string): Promise<string | undefined> =>
    (await store.read(name))?.hash;
  const answers: string[] = [];
  for (const save of saves) answers.push(await run("WriteMemoryTopic", save));
  for (const save of edits) {
    answers.push(await run("WriteMemoryTopic", { ...save, if_match: await hashOf(save.name) }));
  }
  for (const name of deletes) {
    answers.push(await run("DeleteMemoryTopic", { name, if_match: await hashOf(name) }));
  }
  return { store, proposals: (await inbox.list()).proposals, answers };
}

/** Plays a conversation in which the model reads files, runs commands, and saves something. */
export async function playOrdinary(ordinary: OrdinarySave, directory: string): Promise<Played> {
  const store = createMapTopicStore();
  const { files = {}, commands = {} } = ordinary;
  const byPath = (name: string, permission: string, texts: typeof files): Tool => ({
    ...shows(name, permission, ""),
    subjectOf: (input) => subjectOf(input),
    run: async (input) => ({ text: texts[subjectOf(input)] ?? "" }),
  });
  const tools = [byPath("Read", "fs.read", files), byPath("Bash", "shell.run", commands)];
  const { run, onUserMessage, inbox } = open(store, tools, directory);
  const [first = "", ...later] = ordinary.user;
  onUserMessage(first);
  for (const subject of Object.keys(files)) await run("Read", { subject });
  for (const subject of Object.keys(commands)) await run("Bash", { subject });
  for (const message of later) onUserMessage(message);
  const answer = await run("WriteMemoryTopic", ordinary.save);
  return { store, proposals: (await inbox.list()).proposals, answers: [answer] };
}

function subjectOf(input: unknown): string {
  const { subject } = input as { readonly subject: string };
  return subject;
}

function shows(name: string, permission: string, text: string): Tool {
  return {
    name,
    description: "Shows a text.",
    permission,
    isReadOnly: true,
    inputSchema: { type: "object" },
    run: async () => ({ text }),
  };
}

function open(
  store: TopicStore,
  tools: readonly Tool[],
  directory: string,
): {
  readonly run: (name: string, input: unknown) => Promise<string>;
  readonly onUserMessage: (text: string) => void;
  readonly inbox: ReturnType<typeof openInbox>;
} {
  const inbox = openInbox(directory, { findSecrets: async () => [] });
  const memoryTools = createMemoryTools({ store, inbox });
  const runner = createToolRunner({
    tools: [...tools, ...memoryTools],
    policy: { allow: [], ask: [], deny: [], mode: "yolo" },
  });
  return {
    run: async (name, input) => (await runner.run({ name, input })).text,
    onUserMessage: runner.onUserMessage,
    inbox,
  };
}
