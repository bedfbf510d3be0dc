import type { StartBackground } from "@caliban/tui";
import { describe, expect, it, onTestFinished } from "vitest";
import { NO_OPTIONS } from "../../../../src/command.ts";
import { atPrompt } from "../../../../src/commands/chat/slash/captured-run.ts";
import { openScreen, runTerminal } from "../../../../src/commands/chat/terminal/run-terminal.ts";
import { machine } from "../../../fake-host.ts";
import { startModelServer } from "../../../../../../test/support/model-server/model-server.ts";
import { ENABLED, machineWithPast } from "../../../pipeline/past-sessions.ts";
import { fakeConversation, type FakeConversation } from "../fake-conversation.ts";
import {
  createVirtualTerminal,
  type VirtualTerminal,
} from "../../../../../../test/support/virtual-terminal.ts";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ENTER = "\r";

interface Running {
  readonly terminal: VirtualTerminal;
  /** What happened, in order. */
  readonly log: string[];
  readonly say: Parameters<StartBackground>[1];
  readonly exit: Promise<number>;
}

async function started(conversation: FakeConversation, prompt?: string): Promise<Running> {
  const { host } = (await machine()).with({ now: Date.now });
  const terminal = createVirtualTerminal({});
  const { log } = conversation;
  const saying = Promise.withResolvers<Running["say"]>();
  const exit = runTerminal({
    invocation: { ...NO_OPTIONS, host: atPrompt(host) },
    screen: openScreen(host, terminal),
    conversation: conversation.open(),
    prompt,
    startBackground: async (sessionId, say) => {
      const seen = await terminal.screen();
      log.push(`background ${sessionId === "" ? "without" : "with"} id`);
      if (!seen.includes("context 12%")) log.push("too early");
      saying.resolve(say);
      return { stop: async () => void log.push("background stops") };
    },
  });
  onTestFinished(async () => {
    if (!terminal.isStarted()) return;
    await terminal.type(CTRL_C);
    await terminal.type(CTRL_C);
  });
  return { terminal, log, exit, say: await saying.promise };
}

describe("background work", () => {
  it("starts once the user can type, and stops before the process exits", async () => {
    const { terminal, log, exit } = await started(fakeConversation());
    expect(log).toEqual(["background with id"]);
    await terminal.type(CTRL_D);
    expect(await exit).toBe(0);
    expect(log).toContain("background stops");
  });

  it("starts after the first request when there is an initial message", async () => {
    const conversation = fakeConversation({
      answer: async ({ emit }) => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        conversation.log.push("first request");
        emit({ type: "step-start", step: 1 });
      },
    });
    const { log } = await started(conversation, "fix the tests");
    expect(log.indexOf("first request")).toBeGreaterThan(-1);
    expect(log.indexOf("first request")).toBeLessThan(log.indexOf("background with id"));
  });

  it("starts the MCP servers, which report their state", async () => {
    const serverLines = ["mcp: notes: 2 tools are new\u001B[2J; /mcp reload"];
    const { terminal, log } = await started(fakeConversation({ serverLines }));
    expect(log).toEqual(["start servers", "background with id"]);
    await terminal.waitFor("mcp: notes: 2 tools are new\\u{1b}[2J; /mcp reload");
  });

  it("reports only while the agent is not answering", async () => {
    const answering = Promise.withResolvers<void>();
    const conversation = fakeConversation({
      answer: async ({ emit }) => {
        emit({ type: "step-start", step: 1 });
        emit({ type: "text-delta", text: "one " });
        await answering.promise;
        emit({ type: "text-delta", text: "two" });
      },
    });
    const { terminal, say } = await started(conversation);
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("one");
    say({ tone: "good", text: "memory: learned from 2 sessions (/memory view)" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await terminal.screen()).not.toContain("learned");
    answering.resolve();
    const seen = await terminal.waitFor("✓ memory: learned from 2 sessions (/memory view)");
    expect(seen).toContain("one two");
  });
});

/** The screen of a project with one past session that is being read. */
async function rebuilding(
  settings = "",
): Promise<{ readonly terminal: VirtualTerminal; readonly exit: Promise<number> }> {
  const { host } = await machineWithPast(
    [{ id: "20261110-100000-aaaa", said: "Always deploy with pnpm ship." }],
    `${ENABLED}${settings}`,
  );
  const terminal = createVirtualTerminal({ columns: 120 });
  const exit = runTerminal({
    invocation: { ...NO_OPTIONS, host: atPrompt(host) },
    screen: openScreen(host, terminal),
    conversation: fakeConversation().open(),
  });
  await terminal.waitFor("context 12%");
  await terminal.type("/memory rebuild --now");
  await terminal.type(ENTER);
  return { terminal, exit };
}

describe("/memory rebuild --now", () => {
  it("stops /memory rebuild --now when the user interrupts it", async () => {
    const server = await startModelServer({ script: () => ({ hang: true }) });
    onTestFinished(server.close);
    const { terminal, exit } = await rebuilding(
      `\n[models]\ndefault = "local/m"\n\n[providers.local]\nbase_url = "${server.baseUrl("chat-completions")}"\n`,
    );
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(1);
    await terminal.type(CTRL_C);
    await terminal.waitFor("stopped after 0 sessions");
    await terminal.type(CTRL_D);
    expect(await exit).toBe(0);
  });

  it("shows the progress and the outcome of /memory rebuild --now", async () => {
    const { terminal, exit } = await rebuilding();
    await terminal.waitFor(/Working · .*tokens · \d+ s · Ctrl-C to interrupt/);
    await terminal.waitFor("(/memory view)");
    await terminal.type(CTRL_D);
    expect(await exit).toBe(0);
  });
});
