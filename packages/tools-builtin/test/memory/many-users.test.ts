import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import {
  createMapBackend,
  createStoreSearch,
  createTopicStore,
  type TopicStore,
} from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { memoryTools } from "../../src/ai-sdk/ai-sdk-memory-tools.ts";

const AUTHOR = { who: "agent" } as const;

interface Memories {
  readonly project: TopicStore;
  readonly of: (user: string) => TopicStore;
}

/** One process for many users, as in the README: a backend for each user, and one for the project. */
function memories(): Memories {
  const project = createTopicStore({ backend: createMapBackend() });
  const users = new Map<string, TopicStore>();
  return {
    project,
    of: (user) => {
      const store =
        users.get(user) ?? createTopicStore({ backend: createMapBackend(), scope: "user" });
      users.set(user, store);
      return store;
    },
  };
}

/** The tools of one request. */
function toolsFor({ project, of }: Memories, user: string, session = `s-${user}`) {
  const author = { agent: "support", user, session };
  const own = of(user);
  // An embedding model must not connect users either.
  const embed = async (texts: readonly string[]) => texts.map(() => [1, 0]);
  const search = createStoreSearch(own, { embed });
  return {
    ...memoryTools(project, author),
    ...memoryTools(own, { ...author, prefix: "user_", search }),
  };
}

type Calls = readonly (readonly [name: string, input: object])[];

/** Runs calls through the AI SDK, and returns everything that the model saw. */
async function converse(tools: ReturnType<typeof toolsFor>, calls: Calls): Promise<string> {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const model = new MockLanguageModelV4({
    doGenerate: [
      {
        content: calls.map(([toolName, input], at) => ({
          type: "tool-call",
          toolCallId: `${at}`,
          toolName,
          input: JSON.stringify(input),
        })),
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: "text", text: "Done." }],
        finishReason: { unified: "stop", raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
  await generateText({ model, tools, prompt: "Go.", stopWhen: isStepCount(3) });
  return JSON.stringify(model.doGenerateCalls.map(({ prompt }) => prompt));
}

const secretOf = (user: string): object => ({
  name: "plan",
  description: `plan of ${user}`,
  type: "user",
  body: `${user} wants to move to ${user}-town.`,
});

describe("many users in one process", () => {
  it("shows a user nothing of another one: by name, by search, in a conflict or in a suggestion", async () => {
    const all = memories();
    const users = ["ada", "bob", "eve"];
    await Promise.all(
      users.map(async (user) => {
        await converse(toolsFor(all, user), [["user_WriteMemoryTopic", secretOf(user)]]);
      }),
    );
    const seen = await converse(toolsFor(all, "eve"), [
      ["user_ReadMemoryTopic", { name: "plan" }],
      ["user_ReadMemoryTopic", { name: "plam" }],
      ["ReadMemoryTopic", { name: "plan" }],
      ["user_MemorySearch", { query: "ada bob move town plan" }],
      ["MemorySearch", { query: "ada bob move town plan" }],
      ["user_WriteMemoryTopic", secretOf("eve")],
      ["user_DeleteMemoryTopic", { name: "plan", if_match: "v1" }],
    ]);
    expect(seen).toContain("eve-town");
    expect(seen).not.toContain("ada-town");
    expect(seen).not.toContain("bob-town");
    expect((await all.of("ada").list()).topics).toHaveLength(1);
  });

  it("shares the memory of the project, and records which user's agent changed it", async () => {
    const all = memories();
    const fact = { name: "deploy", description: "d", type: "project", body: "pnpm ship" };
    await converse(toolsFor(all, "ada"), [["WriteMemoryTopic", fact]]);
    const seen = await converse(toolsFor(all, "bob"), [["ReadMemoryTopic", { name: "deploy" }]]);
    expect(seen).toContain("pnpm ship");
    expect(await all.project.log()).toMatchObject([
      { who: "agent", agent: "support", user: "ada", session: "s-ada" },
    ]);
    expect((await all.of("ada").list()).topics).toEqual([]);
  });

  it("undoes a change of one user without touching another one's memory", async () => {
    const all = memories();
    for (const user of ["ada", "bob"])
      await converse(toolsFor(all, user), [["user_WriteMemoryTopic", secretOf(user)]]);
    await all.of("ada").undo({ author: { who: "person", user: "ada" } });
    expect((await all.of("ada").list()).topics).toEqual([]);
    expect((await all.of("bob").read("plan"))?.topic.body).toContain("bob-town");
  });

  it("keeps concurrent conversations of one user from overwriting each other", async () => {
    const all = memories();
    const store = all.of("ada");
    await store.write({ ...secretOf("ada"), author: AUTHOR } as Parameters<TopicStore["write"]>[0]);
    const if_match = (await store.read("plan"))?.hash;
    const change = (body: string) =>
      ["user_WriteMemoryTopic", { ...secretOf("ada"), body, if_match }] as const;
    const seen = await Promise.all([
      converse(toolsFor(all, "ada", "s-1"), [change("First.")]),
      converse(toolsFor(all, "ada", "s-2"), [change("Second.")]),
    ]);
    expect(seen.filter((text) => text.includes("has changed since you read it"))).toHaveLength(1);
    expect(await store.log()).toHaveLength(2);
  });
});
