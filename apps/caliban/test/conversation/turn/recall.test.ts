import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent } from "@caliban/agent-core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startModelServer } from "../../../../../test/support/model-server/model-server.ts";
import { messagesOf, systemOf } from "../../../../../test/support/model-server/received-request.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { type Machine, machine } from "../../fake-host.ts";
import { openTestConversation, type TestConversationInput } from "../open-test-conversation.ts";

const topic = (slug: string, description: string, body = "Ask Ana."): string =>
  `---\nname: ${slug}\ndescription: ${JSON.stringify(description)}\nmetadata:\n  type: project\n---\n\n${body}\n`;

const MEMORY = ".local/share/caliban/projects/SLUG/memory";
const TOPICS = {
  [`${MEMORY}/deploy-checklist.md`]: topic("deploy-checklist", "run migrations first"),
  [`${MEMORY}/payments.md`]: topic("payments", "stripe webhooks carry idempotency keys"),
  [`${MEMORY}/tests.md`]: topic("tests", "vitest without mocks"),
};
const DEPLOY = /<memory-note source="topic deploy-checklist[^>]*>\nFrom memory, to be verified: /;

interface RecallTest {
  /** Sends a message, and returns the note that was attached to it. */
  readonly send: (text: string) => Promise<string | undefined>;
  readonly conversation: Conversation;
  readonly events: readonly AgentEvent[];
}

async function open(here: Machine, input: TestConversationInput = {}): Promise<RecallTest> {
  const { conversation, events } = await openTestConversation(here, {
    modelName: "offline/rehearsal",
    ...input,
  });
  onTestFinished(conversation.close);
  const send = async (text: string): Promise<string | undefined> => {
    const from = conversation.messages().length;
    await conversation.send(text);
    const said = conversation.messages()[from];
    return said?.role === "user" ? said.note : undefined;
  };
  return { send, conversation, events };
}

const memoryOf = ({ home, slug }: Machine): string => join(home, MEMORY.replace("SLUG", slug));

const indexOf = ({ home, slug }: Machine): string =>
  join(home, `.local/state/caliban/search/${slug}.idx`);

describe("recallFor", () => {
  it("attaches a matching topic to the user's message once, and leaves the prompt unchanged", async () => {
    const server = await startModelServer({ script: [{ text: "Yes." }], repeat: true });
    onTestFinished(server.close);
    const start = await machine({
      ...TOPICS,
      ".config/caliban/settings.toml": `[providers.mine]\nbase_url = "${server.baseUrl("chat-completions")}"\n`,
    });
    const { send, conversation } = await open(start, { modelName: "mine/one" });
    await send("hello");
    await send("go through the deploy checklist");
    await send("what else is on the deploy checklist?");
    const said = server.requests.map((request) => messagesOf(request).map(({ text }) => text));
    expect(said.map(({ length }) => length)).toEqual([1, 3, 5]);
    expect(said[2]?.[0]).not.toContain("<memory-note");
    expect(said[2]?.[2]).toMatch(/^go through the deploy checklist\s*<memory-note /);
    expect(said[2]?.[2]).toMatch(DEPLOY);
    expect(said[2]?.[4]).toBe("what else is on the deploy checklist?");
    expect(new Set(server.requests.map(systemOf)).size).toBe(1);
    const used = conversation.windowUse().parts.find(({ name }) => name === "conversation");
    expect(used?.tokens).toBeGreaterThan(50);
  });

  it("recalls a topic by name before there is an index, after today's date", async () => {
    const here = await machine(TOPICS);
    const { send, events } = await open(here);
    expect(existsSync(indexOf(here))).toBe(false);
    expect(await send("how do I deploy?")).toMatch(/^\[Today is [0-9-]+\. .*\]\n<memory-note /);
    expect(events[0]).toMatchObject({
      type: "message",
      message: { note: expect.stringContaining("run migrations first") },
    });
  });

  it("recalls a topic by its description once the index was built during an answer", async () => {
    const here = await machine(TOPICS);
    const { send } = await open(here);
    const asked = "do stripe webhooks carry idempotency keys?";
    expect(await send("hello")).not.toContain("<memory-note");
    await vi.waitFor(() => expect(existsSync(indexOf(here))).toBe(true));
    expect(await send(asked)).toContain("stripe webhooks carry");
  });

  it("recalls no deleted topic, and a changed topic as it is now", async () => {
    const here = await machine(TOPICS);
    const { send } = await open(here);
    await send("hello");
    await vi.waitFor(() => expect(existsSync(indexOf(here))).toBe(true));
    await rm(join(memoryOf(here), "payments.md"));
    const changed = topic("deploy-checklist", "ask the release captain");
    await writeFile(join(memoryOf(here), "deploy-checklist.md"), changed);
    expect(await send("payments")).toBeUndefined();
    expect(await send("read the deploy checklist")).toContain("ask the release captain");
  });

  it("recalls a topic once in a resumed session, and again in a new one", async () => {
    const here = await machine(TOPICS);
    const first = await open(here);
    expect(await first.send("read the deploy checklist")).toContain("deploy-checklist");
    await first.conversation.close();
    const again = await open(here, { session: { kind: "id", id: first.conversation.id() } });
    expect(await again.send("read the deploy checklist")).not.toContain("deploy-checklist");
    await again.conversation.clear();
    expect(await again.send("read the deploy checklist")).toContain("deploy-checklist");
  });

  it("recalls a topic again after the conversation was cleared", async () => {
    const { send, conversation } = await open(await machine(TOPICS));
    expect(await send("read the deploy checklist")).toContain("deploy-checklist");
    await conversation.clear();
    expect(await send("read the deploy checklist")).toContain("deploy-checklist");
  });

  it("recalls a topic again after the message that recalled it was summarized", async () => {
    const here = await machine(TOPICS);
    const { send, conversation } = await open(here);
    expect(await send("read the deploy checklist")).toContain("deploy-checklist");
    for (const words of ["one", "two", "three"]) await send(words);
    await conversation.compact();
    expect(JSON.stringify(conversation.messages())).not.toContain("<memory-note");
    expect(await send("read the deploy checklist")).toContain("deploy-checklist");
  });

  it.for([
    ["[memory] recall", {}, '[memory]\nrecall = "off"\n'],
    ["[memory] auto", {}, "[memory]\nauto = false\n"],
    ["a deny rule", {}, '[permissions]\ndeny = ["memory.read"]\n'],
    ["an ask rule", {}, '[permissions]\nask = ["memory.search"]\n'],
    ["a tool's name", { permissions: { allow: [], ask: [], deny: ["MemorySearch"] } }, ""],
    ["--bare", { bare: true }, ""],
    ["--no-memory", { memory: false }, ""],
  ] as const)("recalls nothing when %s turns recall off", async ([, options, settings]) => {
    const here = await machine({ ...TOPICS, ".config/caliban/settings.toml": settings });
    const { send } = await open(here, { flags: options });
    expect(await send("read the deploy checklist")).toMatch(/^\[Today is [0-9-]+\..*\]$/);
    expect(await send("read the deploy checklist")).toBeUndefined();
    expect(existsSync(indexOf(here))).toBe(false);
  });

  it.for(["memory.read(pay*)", "ReadMemoryTopic(payments)", "fs.read(memory://topics/pay*)"])(
    "recalls no topic that may not be read because of the rule %s",
    async (rule) => {
      const here = await machine(TOPICS);
      const { send } = await open(here, {
        flags: { permissions: { allow: [], ask: [], deny: [rule] } },
      });
      expect(await send("look at the payments")).not.toContain("<memory-note");
      expect(await send("read the deploy checklist")).toMatch(DEPLOY);
    },
  );

  it("recalls nothing and does not fail without topics and a home directory", async () => {
    const start = await machine();
    const here = start.with({ env: {}, home: undefined });
    const { send } = await open(here);
    expect(await send("read the deploy checklist")).toMatch(/^\[Today is [0-9-]+\..*\]$/);
  });
});
