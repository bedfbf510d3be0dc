import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent } from "@caliban/agent-core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startModelServer } from "../../../../../test/support/model-server/model-server.ts";
import { messagesOf, systemOf } from "../../../../../test/support/model-server/received-request.ts";
import { openConversation, type OpenConversationInput } from "../../../src/conversation/open-conversation.ts";
import { type Invocation, NO_OPTIONS } from "../../../src/command.ts";
import { type Machine, machine } from "../../fake-host.ts";

const topic = (slug: string, description: string, body = "Ask Ana."): string =>
  `---\nname: ${slug}\ndescription: ${JSON.stringify(description)}\nmetadata:\n  type: project\n---\n\n${body}\n`;

const MEMORY = ".local/share/caliban/projects/SLUG/memory";
const NOTES = {
  [`${MEMORY}/deploy-checklist.md`]: topic("deploy-checklist", "run migrations first"),
  [`${MEMORY}/payments.md`]: topic("payments", "stripe webhooks carry idempotency keys"),
  [`${MEMORY}/tests.md`]: topic("tests", "vitest without mocks"),
};
const DEPLOY =
  "[memory that may apply: deploy-checklist — run migrations first. Notes, to be verified; ReadMemoryTopic reads one.]";

interface Talk {
  readonly send: (text: string) => Promise<string | undefined>;
  readonly conversation: Awaited<ReturnType<typeof openConversation>>;
  readonly events: readonly AgentEvent[];
}

/** A conversation with the offline model; each message gives the note that went with it. */
async function talk(
  here: Machine,
  options: Partial<Invocation> = {},
  changes: Partial<OpenConversationInput> = {},
): Promise<Talk> {
  const events: AgentEvent[] = [];
  const conversation = await openConversation({
    invocation: { ...NO_OPTIONS, host: here.host, ...options },
    view: { emit: (event) => void events.push(event), notify: () => undefined },
    modelName: "offline/rehearsal",
    isSaved: true,
    ...changes,
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

describe("what is remembered of a message", () => {
  it("goes behind the person's words, once, and leaves the prompt as it is", async () => {
    const server = await startModelServer({ script: [{ text: "Yes." }], repeat: true });
    onTestFinished(server.close);
    const start = await machine({
      ...NOTES,
      ".config/caliban/settings.toml": `[providers.mine]\nbase_url = "${server.baseUrl("chat-completions")}"\n`,
    });
    const { send, conversation } = await talk(start, {}, { modelName: "mine/one" });
    await send("hello");
    await send("go through the deploy checklist");
    await send("what else is on the deploy checklist?");
    const said = server.requests.map((request) => messagesOf(request).map(({ text }) => text));
    expect(said.map(({ length }) => length)).toEqual([1, 3, 5]);
    expect(said[2]?.[0]).not.toContain("memory that may apply");
    expect(said[2]?.[2]).toMatch(/^go through the deploy checklist\s*\[memory that may apply: /);
    expect(said[2]?.[2]).toContain(DEPLOY);
    expect(said[2]?.[4]).toBe("what else is on the deploy checklist?");
    expect(new Set(server.requests.map(systemOf)).size).toBe(1);
    const used = conversation.contextUse().parts.find(({ name }) => name === "conversation");
    expect(used?.tokens).toBeGreaterThan(DEPLOY.length / 4);
  });

  it("is joined with the day at the beginning, and comes by name before there is an index", async () => {
    const here = await machine(NOTES);
    const { send, events } = await talk(here);
    expect(existsSync(indexOf(here))).toBe(false);
    expect(await send("how do I deploy?")).toMatch(/^\[Today is [0-9-]+\.\]\n\[memory that may/);
    expect(events[0]).toMatchObject({
      type: "message",
      message: { note: expect.stringContaining(DEPLOY) },
    });
  });

  it("comes by what topics are about once there is an index, which is made beside the answer", async () => {
    const here = await machine(NOTES);
    const { send } = await talk(here);
    const asked = "do stripe webhooks carry idempotency keys?";
    expect(await send("hello")).not.toContain("memory that may apply");
    await vi.waitFor(() => expect(existsSync(indexOf(here))).toBe(true));
    expect(await send(asked)).toContain("payments — stripe webhooks");
  });

  it("is never of a topic that is gone, and of one that changed as it is now", async () => {
    const here = await machine(NOTES);
    const { send } = await talk(here);
    await send("hello");
    await vi.waitFor(() => expect(existsSync(indexOf(here))).toBe(true));
    await rm(join(memoryOf(here), "payments.md"));
    const changed = topic("deploy-checklist", "ask the release captain");
    await writeFile(join(memoryOf(here), "deploy-checklist.md"), changed);
    expect(await send("payments")).toBeUndefined();
    expect(await send("read the deploy checklist")).toContain("ask the release captain");
  });

  it("does not come twice in a session that is taken up again, but in a new one", async () => {
    const here = await machine(NOTES);
    const first = await talk(here);
    expect(await first.send("read the deploy checklist")).toContain("deploy-checklist");
    await first.conversation.close();
    const again = await talk(here, {}, { resume: { kind: "id", id: first.conversation.id() } });
    expect(await again.send("read the deploy checklist")).not.toContain("deploy-checklist");
    await again.conversation.clear();
    expect(await again.send("read the deploy checklist")).toContain("deploy-checklist");
  });

  it("comes again where the person began anew", async () => {
    const { send, conversation } = await talk(await machine(NOTES));
    expect(await send("read the deploy checklist")).toContain("deploy-checklist");
    await conversation.clear();
    expect(await send("read the deploy checklist")).toContain("deploy-checklist");
  });

  it("does not come twice where the message that it came with was summarized", async () => {
    const here = await machine(NOTES);
    const { send, conversation } = await talk(here);
    expect(await send("read the deploy checklist")).toContain("deploy-checklist");
    for (const words of ["one", "two", "three"]) await send(words);
    await conversation.compact();
    expect(JSON.stringify(conversation.messages())).not.toContain(DEPLOY);
    expect(await send("read the deploy checklist")).toBeUndefined();
  });

  it.for([
    ["[memory] recall", {}, '[memory]\nrecall = "off"\n'],
    ["[memory] auto", {}, "[memory]\nauto = false\n"],
    ["a rule", {}, '[permissions]\ndeny = ["memory.read"]\n'],
    ["a question", {}, '[permissions]\nask = ["memory.search"]\n'],
    ["a tool's name", { permissions: { allow: [], ask: [], deny: ["MemorySearch"] } }, ""],
    ["--bare", { bare: true }, ""],
    ["--no-memory", { memory: false }, ""],
  ] as const)("is nothing where it is turned off by %s", async ([, options, settings]) => {
    const here = await machine({ ...NOTES, ".config/caliban/settings.toml": settings });
    const { send } = await talk(here, options);
    expect(await send("read the deploy checklist")).toMatch(/^\[Today is [0-9-]+\.\]$/);
    expect(await send("read the deploy checklist")).toBeUndefined();
    expect(existsSync(indexOf(here))).toBe(false);
  });

  it.for(["memory.read(pay*)", "ReadMemoryTopic(payments)", "fs.read(memory://topics/pay*)"])(
    "is nothing of a topic that may not be read, with %s denied",
    async (rule) => {
      const here = await machine(NOTES);
      const { send } = await talk(here, { permissions: { allow: [], ask: [], deny: [rule] } });
      expect(await send("look at the payments")).not.toContain("memory that may apply");
      expect(await send("read the deploy checklist")).toBe(DEPLOY);
    },
  );

  it("makes nothing on disk and keeps nobody waiting where there are no notes and no home", async () => {
    const start = await machine();
    const here = start.with({ env: {}, home: undefined });
    const { send } = await talk(here);
    expect(await send("read the deploy checklist")).toMatch(/^\[Today is [0-9-]+\.\]$/);
  });
});
