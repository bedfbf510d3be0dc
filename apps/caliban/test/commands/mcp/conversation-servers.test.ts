import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent } from "@caliban/agent-core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import {
  openConversation,
  type OpenConversationInput,
} from "../../../src/conversation/open/open-conversation.ts";
import { sessionPolicy } from "../../../src/conversation/access/policy.ts";
import { createSessionServers } from "../../../src/conversation/open/servers.ts";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { renderServers } from "../../../src/commands/chat/slash/mcp.ts";
import { runSlash } from "../../../src/commands/chat/slash/run-slash.ts";
import { runTerminal } from "../../../src/commands/chat/terminal/run-terminal.ts";
import { machine, type Machine } from "../../fake-host.ts";
import { createVirtualTerminal } from "../../../../../packages/tui/test/virtual-terminal.ts";
import { fakeServerScript } from "../../../../../packages/mcp/test/node/client/fake-server.ts";
import { until } from "../../../../../packages/mcp/test/node/client/server-place.ts";

const SCRIPT = await fakeServerScript();

async function settings({ home }: Machine, text: string): Promise<void> {
  await mkdir(join(home, ".config/caliban"), { recursive: true });
  await writeFile(join(home, ".config/caliban/settings.toml"), text);
}

function entry(here: Machine, mode = "plain", more = ""): string {
  const args = [SCRIPT, mode, join(here.home, "notes.txt")];
  return `[mcp.servers.notes]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(args)}\n${more}\n`;
}

interface Opened {
  readonly conversation: Conversation;
  readonly events: readonly AgentEvent[];
  readonly lines: string[];
}

async function opened(
  here: Machine,
  changes: Partial<OpenConversationInput> = {},
): Promise<Opened> {
  const events: AgentEvent[] = [];
  const lines: string[] = [];
  const conversation = await openConversation({
    invocation: { ...NO_OPTIONS, host: here.host },
    view: {
      emit: (event) => void events.push(event),
      notify: (line) => void lines.push(line),
      ask: async () => "no",
    },
    isSaved: true,
    ...changes,
  });
  onTestFinished(() => conversation.close());
  return { conversation, events, lines };
}

const ofServers = (conversation: Conversation): readonly string[] =>
  conversation
    .tools()
    .map(({ name }) => name)
    .filter((name) => name.startsWith("mcp__"));

/** As the screen does it: servers are started, and what they tell is kept. */
async function learned(here: Machine): Promise<void> {
  const { conversation } = await opened(here);
  conversation.startServers(() => undefined);
  await until(() => conversation.servers().every(({ kind }) => kind !== "starting"));
  const state = join(here.home, ".local/state/caliban/mcp");
  await until(() => existsSync(state) && readdirSync(state).some((name) => name.endsWith(".json")));
  await conversation.close();
}

const noted = ({ home }: Machine): string => {
  const path = join(home, "notes.txt");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

describe("the servers of a conversation", () => {
  it("are started when somebody says so, and not before", async () => {
    const here = await machine();
    await settings(here, entry(here));
    const { conversation } = await opened(here);
    expect(ofServers(conversation)).toEqual([]);
    expect(conversation.warnings()).toContain(
      "mcp: notes: its tools are not known yet; it is asked beside this session, and the next one has what it offers",
    );
    expect(noted(here)).toBe("");
    const said: string[] = [];
    conversation.startServers((line) => said.push(line));
    await until(() => said.length > 0);
    expect(said).toEqual([
      "mcp: notes: 5 tools are new; so it is from the next session on, or now with /mcp reload",
    ]);
    expect(ofServers(conversation)).toEqual([]);
    expect(conversation.servers()).toMatchObject([{ name: "notes", kind: "connected" }]);
    expect(renderServers(conversation.servers())).toMatch(
      /connected, 0 tools offered\n.*\n {2}5 tools are new: \/mcp reload$/,
    );
  });

  it("offer the same tools to a prompt and to `caliban prompt`, and are named there without their words", async () => {
    const here = await machine();
    await settings(here, entry(here, "tags"));
    await learned(here);
    const { conversation } = await opened(here);
    expect(ofServers(conversation)).toEqual(["mcp__notes__tags"]);
    const { stdout, stderr } = await here.caliban("prompt");
    expect(stderr).toBe("");
    expect(stdout).toContain("- mcp__*: Tools of MCP servers that the person has set up (notes).");
    expect(stdout).not.toContain("Ends it");
    expect(conversation.policy().mode).toBe("default");
  });

  it("are there again after /clear with what is known then, and the rest of the conversation is as it was", async () => {
    const here = await machine();
    await settings(here, entry(here));
    const { conversation } = await opened(here);
    const said: string[] = [];
    conversation.startServers((line) => said.push(line));
    await until(() => said.length > 0);
    await conversation.clear();
    expect(ofServers(conversation)).toHaveLength(5);
    await settings(here, "");
    await conversation.clear();
    expect(ofServers(conversation)).toEqual([]);
    expect(conversation.servers()).toEqual([]);
  });

  it("that cannot be started are told of once a try, and /mcp reload tries once", async () => {
    const here = await machine();
    await settings(here, '[mcp.servers.gone]\ncommand = "not-there-at-all"\n');
    const { conversation, events } = await opened(here);
    const said: string[] = [];
    conversation.startServers((line) => said.push(line));
    const failure = "mcp: gone: absent, skipped: its command not-there-at-all is not found (/mcp)";
    await until(() => said.length > 0);
    expect(said).toEqual([failure]);
    await conversation.reloadServers();
    expect(conversation.servers()).toMatchObject([{ name: "gone", kind: "absent" }]);
    expect(said).toEqual([failure, failure]);
    expect(conversation.warnings().join()).not.toContain("it is asked beside this session");
    expect(JSON.stringify(events)).not.toContain("absent");
    await conversation.clear();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(said).toHaveLength(2);
  });

  it("are set up, started and taken up by one /mcp reload, which says what came and what it costs", async () => {
    const here = await machine();
    const { conversation } = await opened(here);
    const invocation = { ...NO_OPTIONS, host: here.host };
    const slash = async (line: string) =>
      await runSlash(line, { conversation, invocation, person: undefined as never });
    expect(await slash("/mcp")).toEqual({
      kind: "text",
      text: "There are no MCP servers. [mcp.servers.<name>] in the settings sets one up: docs/mcp.md.",
    });
    await settings(here, entry(here));
    const result = await slash("/mcp reload");
    expect(result).toEqual({
      kind: "text",
      text: expect.stringMatching(
        /^notes: connected, 5 tools offered\n {2}.*fake-server\.mjs plain .*\(from ~\/\.config\/caliban\/settings\.toml\)\nnew: mcp__notes__big, mcp__notes__die, mcp__notes__echo, mcp__notes__parts, mcp__notes__slow\. Prompt and tools were built anew, so the provider's cache begins again\.$/,
      ),
    });
    expect(await slash("/mcp reload")).toMatchObject({
      text: expect.stringContaining("No tool came or went."),
    });
    expect(await slash("/mcp restart")).toMatchObject({
      kind: "mistake",
      text: expect.stringContaining("`caliban mcp list` in a shell"),
    });
    await settings(here, "");
    expect(await slash("/mcp reload")).toMatchObject({
      text: expect.stringMatching(/^There are no/),
    });
  });

  it.each([
    ["--bare", { bare: true }],
    ["a rule that denies them", { permissions: { allow: [], ask: [], deny: ["mcp.notes"] } }],
  ])("are not there with %s, and not started either", async (_, changes) => {
    const here = await machine();
    await settings(here, entry(here, "plain", 'tier = "memory"'));
    await learned(here);
    await rm(join(here.home, "notes.txt"));
    const invocation = { ...NO_OPTIONS, host: here.host, ...changes };
    const { conversation } = await opened(here, { invocation });
    conversation.startServers(() => undefined);
    await conversation.send("hello");
    expect(ofServers(conversation)).toEqual([]);
    expect(conversation.servers()).toEqual([]);
    await conversation.close();
    expect(noted(here)).toBe("");
  });

  it("cannot be started by a run that nobody is there to answer for, unless the repository's wish was approved", async () => {
    const here = await machine();
    await mkdir(join(here.home, "app/.caliban"), { recursive: true });
    await writeFile(join(here.home, "app/.caliban/settings.toml"), entry(here));
    const { conversation } = await opened(here);
    expect(conversation.servers()).toEqual([]);
    expect(conversation.warnings().join("\n")).toContain("it needs your approval");
    const asked: string[] = [];
    const other = await opened(here, {
      askServer: async ({ request: wish }) => {
        asked.push(wish.server.name);
        return "once";
      },
    });
    expect(other.conversation.servers()).toMatchObject([{ name: "notes" }]);
    await other.conversation.clear();
    expect(asked).toEqual(["notes"]);
  });
});

describe("a run without a screen", () => {
  it("says once that it knows no tools, asks for them beside the answer, and the next run has them", async () => {
    const here = await machine();
    await settings(here, entry(here));
    const first = await here.caliban("-p", "hello", "--allow", "mcp.notes");
    expect(first.exitCode).toBe(0);
    expect(first.stderr).not.toContain("holds for no tool");
    expect(first.stderr.match(/mcp: .*/g)).toEqual([
      "mcp: notes: its tools are not known yet; it is asked beside this session, and the next one has what it offers",
    ]);
    expect(noted(here)).toContain("left");
    await rm(join(here.home, "notes.txt"));
    const { stdout, stderr } = await here.caliban("-p", "hello", "--output-format", "stream-json");
    expect(JSON.parse(stdout.split("\n", 1)[0] ?? "").tools).toContain("mcp__notes__echo");
    expect(stderr).not.toContain("mcp:");
    expect(noted(here)).toBe("");
  });

  it("says what is wrong with a server without naming what can be typed on a screen only", async () => {
    const here = await machine();
    await settings(here, '[mcp.servers.gone]\ncommand = "not-there-at-all"\n');
    const { stderr } = await here.caliban("-p", "hello");
    expect(stderr).toContain("absent, skipped: its command not-there-at-all is not found\n");
  });

  it("leaves a server alone that did not answer the last one, and says so", async () => {
    const here = await machine();
    await settings(here, entry(here, "no-initialize"));
    const first = await here.caliban("-p", "hello");
    expect(first.stderr).toContain(
      "mcp: notes: absent, skipped: it did not answer while this run lasted\n",
    );
    await rm(join(here.home, "notes.txt"));
    const { stderr } = await here.caliban("-p", "hello");
    expect(stderr.match(/mcp: .*/g)).toEqual([
      "mcp: notes: its tools are not known, and it is left alone for some minutes, because it failed (it did not answer while this run lasted)",
    ]);
    expect(noted(here)).toBe("");
    const later = here.with({ now: () => here.host.now() + 700_000 });
    await later.caliban("-p", "hello");
    expect(noted(here)).toContain("start");
  });

  it("waits after its answer no longer than it says for a server that hangs, and not at all for one in a hurry", async () => {
    const here = await machine();
    await settings(here, entry(here, "no-initialize"));
    const invocation = { ...NO_OPTIONS, host: here.host };
    const project = await openProject(invocation);
    const { policy } = await sessionPolicy(project);
    const ended = async (hurries: boolean): Promise<number> => {
      const servers = createSessionServers({ notify: () => undefined, lingerMs: 800 });
      await servers.take({ project, policy });
      servers.startUnknown();
      await until(() => noted(here).includes("start"));
      await rm(join(here.home, "notes.txt"));
      const before = Date.now();
      if (hurries) servers.hurry();
      await servers.close();
      expect(noted(here)).toContain("left");
      return Date.now() - before;
    };
    // The hurried one first: of the other it is kept that it did not answer.
    expect(await ended(true)).toBeLessThan(700);
    expect(await ended(false)).toBeGreaterThanOrEqual(800);
  });
});

describe("the screen", () => {
  it("asks about a repository's server, starts it once one can type, and tells what it offers", async () => {
    const here = (await machine()).with({ now: Date.now });
    await mkdir(join(here.home, "app/.caliban"), { recursive: true });
    await writeFile(join(here.home, "app/.caliban/settings.toml"), entry(here));
    const terminal = createVirtualTerminal({ columns: 160, rows: 50 });
    const invocation = { ...NO_OPTIONS, host: here.host };
    const exit = runTerminal({
      host: here.host,
      invocation,
      terminal,
      open: async (view) => await openConversation({ ...view, invocation, view, isSaved: false }),
    });
    await terminal.waitFor("Always, while all of this stays as it is");
    expect(noted(here)).toBe("");
    await new Promise((resolve) => void setTimeout(resolve, 600));
    await terminal.type("y");
    await terminal.waitFor(
      "mcp: notes: 5 tools are new; so it is from the next session on, or now with /mcp reload",
    );
    for (const line of ["/mcp reload", "/mcp"]) {
      await terminal.type(line);
      await terminal.type("\r");
      await terminal.waitFor("notes: connected, 5 tools offered");
    }
    await terminal.type("\u0004");
    expect(await exit).toBe(0);
    expect(noted(here).trim().split("\n").at(-1)).toBe("left");
  });
});

describe("the tier behind servers", () => {
  const TIER = 'tier = "memory"';

  it("is named by `caliban memory` as it was last known, and nothing is started for it", async () => {
    const here = await machine();
    await settings(here, entry(here, "plain", TIER));
    expect((await here.caliban("memory")).stdout).toContain(
      "  server   notes (not connected yet; on demand)\n",
    );
    expect(noted(here)).toBe("");
    await learned(here);
    await rm(join(here.home, "notes.txt"));
    expect((await here.caliban("memory")).stdout).toContain(
      "  server   notes (known since a moment ago, not connected, 1 memory; on demand)\n",
    );
    expect((await here.caliban("memory", "explain")).stdout).toContain(
      "  on demand server   notes\n            KNOWN: known since a moment ago, not connected, 1 memory\n",
    );
    const { servers, totalTokens } = JSON.parse(
      (await here.caliban("memory", "explain", "--json")).stdout,
    );
    expect(servers).toEqual([
      {
        name: "notes",
        state: "known",
        sentence: "known since a moment ago, not connected",
        memories: 1,
      },
    ]);
    expect(totalTokens).toBe(0);
    expect((await here.caliban("memory", "--no-memory")).stdout).not.toContain("server");
    expect(noted(here)).toBe("");
  });

  it("is told in a conversation from the receipt, as it is at that moment", async () => {
    const here = await machine();
    await settings(here, entry(here, "plain", TIER));
    const { conversation } = await opened(here);
    expect(conversation.receipt().servers).toMatchObject([{ name: "notes", state: "unknown" }]);
    conversation.startServers(() => undefined);
    await until(() => conversation.receipt().servers?.[0]?.memories === 1);
    expect(conversation.receipt().servers).toEqual([
      { name: "notes", state: "connected", sentence: "connected", memories: 1 },
    ]);
    const invocation = { ...NO_OPTIONS, host: here.host };
    const shown = await runSlash("/memory", {
      conversation,
      invocation,
      person: undefined as never,
    });
    expect(shown).toMatchObject({
      text: expect.stringContaining("  server   notes (connected, 1 memory; on demand)\n"),
    });
    expect(noted(here)).not.toContain("resources/read");
  });

  it("is absent with a reason where its server is", async () => {
    const here = await machine();
    await settings(here, entry(here, "exits", TIER));
    const { conversation } = await opened(here);
    conversation.startServers(() => undefined);
    await until(() => conversation.receipt().servers?.[0]?.state === "absent");
    const sentence =
      "absent: skipped: it ended with exit code 3; it last said: first / no config\\u{7} file";
    expect(conversation.receipt().servers).toEqual([{ name: "notes", state: "absent", sentence }]);
    await conversation.close();
    expect((await here.caliban("memory")).stdout).toContain(
      `  server   notes (${sentence.replace("skipped:", "skipped a moment ago:")}; on demand)\n`,
    );
  });

  it("is no part of a run without memory, and the tools stay", async () => {
    const here = await machine();
    await settings(here, entry(here, "plain", TIER));
    await learned(here);
    const invocation = { ...NO_OPTIONS, host: here.host, memory: false };
    const { conversation } = await opened(here, { invocation });
    expect(ofServers(conversation)).toHaveLength(5);
    expect(conversation.receipt().servers).toBeUndefined();
  });
});

describe("what /mcp shows", () => {
  it("tells the state, the place, the last error and what was left out, in harmless lines", () => {
    const text = renderServers([
      {
        name: "x",
        source: "~/s.toml",
        endpoint: "run \u001B[31mme",
        kind: "connected",
        label: "connected",
        offeredTools: 1,
        change: "",
        failure: "it refused tools/list",
        problems: ["a is left out"],
      },
    ]);
    expect(text).toBe(
      "x: connected, 1 tool offered\n  run \\u{1b}[31mme (from ~/s.toml)\n  last error: it refused tools/list\n  a is left out",
    );
  });
});
