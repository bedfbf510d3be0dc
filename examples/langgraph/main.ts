// A LangGraph graph whose long-term memory is a directory of plain Markdown, with history and undo.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFsTopicStore } from "@caliban/memory/node";
import { createLangGraphStore } from "@caliban/tools-builtin/langgraph";
import {
  Annotation,
  type BaseStore,
  END,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from "@langchain/langgraph";

// In your agent: a permanent directory, or any other topic store.
const topics = createFsTopicStore({ directory: await mkdtemp(join(tmpdir(), "langgraph-")) });
const store: BaseStore = createLangGraphStore(topics, { agent: "assistant" });

const State = Annotation.Root({ message: Annotation<string>, answer: Annotation<string> });
const graph = new StateGraph(State)
  .addNode("reply", reply)
  .addEdge(START, "reply")
  .addEdge("reply", END)
  .compile({ store });

console.log(await ask("ada", "Remember: we deploy with pnpm ship."));
console.log(await ask("bob", "How do we deploy?"));
console.log(await ask("ada", "How do we deploy?"));

// The item is a topic like any other: it is in the index, has a history, and can be undone.
for (const { slug, description } of (await topics.list()).topics) {
  console.log(`${slug}: ${description}`);
}
console.log(JSON.stringify((await store.get(["users", "ada", "facts"], "deploy"))?.value));
await topics.undo({ author: { who: "person" } });
console.log(await ask("ada", "How do we deploy?"));

async function ask(user: string, message: string): Promise<string> {
  const { answer } = await graph.invoke({ message }, { configurable: { user } });
  return `${user}: ${answer}`;
}

/** Takes the place of a model that uses the store of the graph. Each user has a namespace. */
async function reply(
  { message }: typeof State.State,
  { store: memory, configurable }: LangGraphRunnableConfig,
): Promise<Partial<typeof State.State>> {
  const namespace = ["users", String(configurable?.["user"]), "facts"];
  const [, fact] = /^Remember: (.*)$/.exec(message) ?? [];
  if (fact !== undefined) {
    await memory?.put(namespace, "deploy", { fact, tags: ["deploy"] });
    return { answer: "Noted." };
  }
  const [found] = (await memory?.search(namespace, { query: message })) ?? [];
  return { answer: String(found?.value["fact"] ?? "I do not know.") };
}
