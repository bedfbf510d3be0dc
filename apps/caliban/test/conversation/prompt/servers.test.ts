import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fakeServerScript } from "../../../../../packages/mcp/test/node/client/fake-server.ts";
import { until } from "../../../../../packages/mcp/test/node/client/pool-fixture.ts";
import { createVirtualTerminal } from "../../../../../test/support/virtual-terminal.ts";
import { NO_OPTIONS } from "../../../src/command.ts";
import { parseSlash } from "../../../src/commands/chat/slash/parse-slash.ts";
import { runSlash } from "../../../src/commands/chat/slash/run-slash.ts";
import type { SlashResult } from "../../../src/commands/chat/slash/slash-command.ts";
import { SLASH_COMMANDS } from "../../../src/commands/chat/slash/slash-table.ts";
import { openScreen, runTerminal } from "../../../src/commands/chat/terminal/run-terminal.ts";
import { openingQuestions } from "../../../src/commands/chat/terminal/screen-view.ts";
import { loadPolicy } from "../../../src/conversation/access/policy.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { openConversation } from "../../../src/conversation/open-conversation.ts";
import { createConversationServers } from "../../../src/conversation/prompt/servers.ts";
import { openProject } from "../../../src/project/project.ts";
import { machine, type Machine } from "../../fake-host.ts";
import {
  openTestConversation,
  type TestConversation,
  type TestConversationInput,
} from "../open-test-conversation.ts";

const SCRIPT = await fakeServerScript();

async function writeSettings({ home }: Machine, text: string): Promise<void> {
  await mkdir(join(home, ".config/caliban"), { recursive: true });
  await writeFile(join(home, ".config/caliban/settings.toml"), text);
}

async function writeRequest({ home }: Machine, text: string): Promise<void> {
  await mkdir(join(home, "app/.caliban"), { recursive: true });
  await writeFile(join(home, "app/.caliban/settings.toml"), text);
}

/** The settings of a fake server called `notes`. */
function entry(here: Machine, mode = "plain", more = ""): string {
  const args = [SCRIPT, mode, join(here.home, "record.txt")];
  return `[mcp.servers.notes]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(args)}\n${more}\n`;
}

const GONE = '[mcp.servers.gone]\ncommand = "no-such-command"\n';
const NOT_LOADED =
  "mcp: notes: tools not loaded yet; fetching in the background for the next session";

async function open(here: Machine, input: TestConversationInput = {}): Promise<TestConversation> {
  const opened = await openTestConversation(here, { ask: async () => "no", ...input });
  onTestFinished(() => opened.conversation.close());
  return opened;
}

async function slash(
  here: Machine,
  conversation: Conversation,
  line: string,
): Promise<SlashResult> {
  const parsed = parseSlash(line, SLASH_COMMANDS);
  if (parsed === undefined) throw new Error(`not a slash command: ${line}`);
  const invocation = { ...NO_OPTIONS, host: here.host };
  return await runSlash(parsed, { conversation, invocation, user: undefined as never });
}

const serverTools = (conversation: Conversation): readonly string[] =>
  conversation
    .tools()
    .map(({ name }) => name)
    .filter((name) => name.startsWith("mcp__"));

const warnings = (conversation: Conversation): readonly string[] =>
  conversation.warnings().map(({ message }) => message);

/** Runs a conversation in which the servers are started and their tools recorded. */
async function recordTools(here: Machine): Promise<void> {
  const { conversation } = await open(here);
  conversation.startServers(() => undefined);
  await until(() => conversation.servers().every(({ kind }) => kind !== "starting"));
  const state = join(here.home, ".local/state/caliban/mcp");
  await until(() => existsSync(state) && readdirSync(state).some((name) => name.endsWith(".json")));
  await conversation.close();
}

/** What the fake server recorded about itself. */
const recorded = ({ home }: Machine): string => {
  const path = join(home, "record.txt");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** Whether every process that the fake server recorded has ended. */
function isServerGone(here: Machine): boolean {
  const pids = [...recorded(here).matchAll(/^start (\d+)$/gm)].map(([, pid]) => Number(pid));
  return pids.length > 0 && !pids.some(isAlive);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the servers of a conversation", () => {
  it("starts servers only on request, and offers their tools after a reload", async () => {
    const here = await machine();
    await writeSettings(here, entry(here));
    const { conversation } = await open(here);
    expect(serverTools(conversation)).toEqual([]);
    expect(warnings(conversation)).toContain(NOT_LOADED);
    expect(recorded(here)).toBe("");
    const reported: string[] = [];
    conversation.startServers((line) => reported.push(line));
    await until(() => reported.length > 0);
    expect(reported).toEqual([
      "mcp: notes: 5 tools added; available in the next session, or now with /mcp reload",
    ]);
    expect(serverTools(conversation)).toEqual([]);
    expect(conversation.servers()).toMatchObject([{ name: "notes", kind: "connected" }]);
    expect(await slash(here, conversation, "/mcp")).toMatchObject({
      text: expect.stringMatching(
        /connected, 0 tools offered\n.*\n {2}5 tools added: \/mcp reload$/,
      ),
    });
  });

  it("offers recorded tools to the model, and `caliban prompt` names the server without its texts", async () => {
    const here = await machine();
    await writeSettings(here, entry(here, "tags"));
    await recordTools(here);
    const { conversation } = await open(here);
    expect(serverTools(conversation)).toEqual(["mcp__notes__tags"]);
    const { stdout, stderr } = await here.caliban("prompt");
    expect(stderr).toBe("");
    expect(stdout).toMatch(/- mcp__\*: .*\(notes\)/);
    expect(stdout).not.toContain("Ends it");
  });

  it("offers what is known at the time of a /clear, by the settings of that time", async () => {
    const here = await machine();
    await writeSettings(here, entry(here));
    const { conversation } = await open(here);
    const reported: string[] = [];
    conversation.startServers((line) => reported.push(line));
    await until(() => reported.length > 0);
    await conversation.clear();
    expect(serverTools(conversation)).toHaveLength(5);
    await writeSettings(here, "");
    await conversation.clear();
    expect(serverTools(conversation)).toEqual([]);
    expect(conversation.servers()).toEqual([]);
  });

  it("reports a server that cannot be started once per attempt, and only a reload tries again", async () => {
    const here = await machine();
    await writeSettings(here, GONE);
    const { conversation, events } = await open(here);
    const reported: string[] = [];
    conversation.startServers((line) => reported.push(line));
    const failure = "mcp: gone: unavailable: command not found: no-such-command (/mcp)";
    await until(() => reported.length > 0);
    expect(reported).toEqual([failure]);
    await conversation.reloadServers();
    expect(conversation.servers()).toMatchObject([{ name: "gone", kind: "absent" }]);
    expect(reported).toEqual([failure, failure]);
    expect(warnings(conversation).join("\n")).not.toContain("fetching in the background");
    expect(JSON.stringify(events)).not.toContain("unavailable");
    await conversation.clear();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(reported).toHaveLength(2);
  });

  it("configures, starts and offers a new server with one /mcp reload", async () => {
    const here = await machine();
    const { conversation } = await open(here);
    expect(await slash(here, conversation, "/mcp")).toMatchObject({
      kind: "text",
      text: expect.stringMatching(/^No MCP servers configured/),
    });
    await writeSettings(here, entry(here));
    expect(await slash(here, conversation, "/mcp reload")).toEqual({
      kind: "text",
      text: expect.stringMatching(
        /^notes: connected, 5 tools offered\n {2}.*fake-server\.mjs plain .*\(from ~\/\.config\/caliban\/settings\.toml\)\nadded: mcp__notes__big, mcp__notes__die, mcp__notes__echo, mcp__notes__parts, mcp__notes__slow\. The prompt was rebuilt, so the provider's cache starts over\.$/,
      ),
    });
    expect(await slash(here, conversation, "/mcp reload")).toMatchObject({
      text: expect.stringContaining("No tools changed."),
    });
    expect(await slash(here, conversation, "/mcp restart")).toMatchObject({ kind: "error" });
    await writeSettings(here, "");
    expect(await slash(here, conversation, "/mcp reload")).toMatchObject({
      text: expect.stringMatching(/^No MCP servers/),
    });
  });

  it.each([
    ["--bare", { bare: true }],
    ["a rule that denies them", { permissions: { allow: [], ask: [], deny: ["mcp.notes"] } }],
  ])("neither offers nor starts servers with %s", async (_, flags) => {
    const here = await machine();
    await writeSettings(here, entry(here, "plain", 'tier = "memory"'));
    await recordTools(here);
    await rm(join(here.home, "record.txt"));
    const { conversation } = await open(here, { flags });
    conversation.startServers(() => undefined);
    await conversation.send("hello");
    expect(serverTools(conversation)).toEqual([]);
    expect(conversation.servers()).toEqual([]);
    await conversation.close();
    expect(recorded(here)).toBe("");
  });

  it("asks once per conversation about a server that the repository requests, and never without a user", async () => {
    const here = await machine();
    await writeRequest(here, entry(here));
    const { conversation } = await open(here);
    expect(conversation.servers()).toEqual([]);
    expect(warnings(conversation).join("\n")).toMatch(
      /mcp: notes: requested by \S+ but not approved\. Run: caliban mcp approve notes/,
    );
    const asked: string[] = [];
    const { conversation: attended } = await open(here, {
      askServer: async ({ request }) => {
        asked.push(request.server.name);
        return "once";
      },
    });
    expect(attended.servers()).toMatchObject([{ name: "notes" }]);
    await attended.clear();
    expect(asked).toEqual(["notes"]);
  });
});

it("starts no requested server without the sandbox that the user requires", async () => {
  const here = await machine();
  await writeSettings(here, '[sandbox]\nmode = "on"\n');
  await writeRequest(here, entry(here));
  const { conversation } = await open(here, { askServer: async () => "once" });
  const lines: string[] = [];
  conversation.startServers((line) => void lines.push(line));
  await until(() => lines.length > 0);
  expect(lines.join("\n")).toContain(
    'there is no sandbox (bubblewrap is not installed), and [sandbox] mode is "on"',
  );
  expect(recorded(here)).toBe("");
});

describe("the servers of a run without a screen", () => {
  it("fetches unknown tools during the first run, and offers them in the next", async () => {
    const here = await machine();
    await writeSettings(here, entry(here));
    const first = await here.caliban("-p", "hello", "--allow", "mcp.notes");
    expect(first.exitCode).toBe(0);
    expect(first.stderr).not.toContain("matches no tool");
    expect(first.stderr.match(/mcp: .*/g)).toEqual([NOT_LOADED]);
    await until(() => isServerGone(here));
    await rm(join(here.home, "record.txt"));
    const { stdout, stderr } = await here.caliban("-p", "hello", "--output-format", "stream-json");
    expect(JSON.parse(stdout.split("\n", 1)[0] ?? "").tools).toContain("mcp__notes__echo");
    expect(stderr).not.toContain("mcp:");
    expect(recorded(here)).toBe("");
  });

  it("reports a failed server without suggesting a slash command", async () => {
    const here = await machine();
    await writeSettings(here, GONE);
    const { stderr } = await here.caliban("-p", "hello");
    expect(stderr).toContain("mcp: gone: unavailable: command not found: no-such-command\n");
  });

  it("leaves a server alone for some minutes after it did not answer, and reports it", async () => {
    const here = await machine();
    await writeSettings(here, entry(here, "no-initialize"));
    const first = await here.caliban("-p", "hello");
    expect(first.stderr).toContain("mcp: notes: unavailable: did not answer during this run\n");
    await rm(join(here.home, "record.txt"));
    const { stderr } = await here.caliban("-p", "hello");
    expect(stderr.match(/mcp: .*/g)).toEqual([
      "mcp: notes: failed recently; retrying in a few minutes (did not answer during this run)",
    ]);
    expect(recorded(here)).toBe("");
    const later = here.with({ now: () => here.host.now() + 700_000 });
    await later.caliban("-p", "hello");
    expect(recorded(here)).toContain("start");
  });

  it.for([
    ["stops waiting for a server that hangs when the user is in a hurry", true, []],
    [
      "waits for a server that hangs for a limited time, and records that it did not answer",
      false,
      ["mcp: notes: unavailable: did not answer during this run"],
    ],
  ] as const)("%s", async ([, isHurried, expected]) => {
    const here = await machine();
    await writeSettings(here, entry(here, "no-initialize"));
    const project = await openProject({ ...NO_OPTIONS, host: here.host });
    const { policy } = await loadPolicy(project);
    const reported: string[] = [];
    const servers = createConversationServers({
      notify: (line) => void reported.push(line),
      // Without the hurry, this test would time out.
      lingerMs: isHurried ? 600_000 : 50,
    });
    await servers.offer({ project, policy });
    servers.startUnknown();
    await until(() => recorded(here).includes("start"));
    if (isHurried) servers.stopWaiting();
    await servers.close();
    await until(() => isServerGone(here));
    expect(reported).toEqual(expected);
  });
});

describe("the servers on the screen", () => {
  it("asks about a requested server, starts it in the background, and reports its tools", async () => {
    const here = (await machine()).with({ now: Date.now });
    await writeRequest(here, entry(here));
    const terminal = createVirtualTerminal({ columns: 160, rows: 50 });
    const invocation = { ...NO_OPTIONS, host: here.host };
    const screen = openScreen(here.host, terminal);
    const options = { ...openingQuestions(screen, here.host), isSaved: false, canAsk: true };
    const exit = runTerminal({
      host: here.host,
      invocation,
      screen,
      conversation: openProject(invocation).then((project) => openConversation(project, options)),
    });
    await terminal.waitFor("This repository wants to start the MCP server notes");
    expect(recorded(here)).toBe("");
    // Keys right after an unexpected question count as typed for something else.
    await new Promise((resolve) => void setTimeout(resolve, 600));
    await terminal.type("y");
    await terminal.waitFor("mcp: notes: 5 tools added");
    for (const line of ["/mcp reload", "/mcp"]) {
      await terminal.type(line);
      await terminal.type("\r");
      await terminal.waitFor("notes: connected, 5 tools offered");
    }
    await terminal.type("\u0004");
    expect(await exit).toBe(0);
    await until(() => isServerGone(here));
  });
});

describe("a server that is a memory tier", () => {
  const TIER = 'tier = "memory"';

  it("lists a memory server in `caliban memory` as last recorded, without starting it", async () => {
    const here = await machine();
    await writeSettings(here, entry(here, "plain", TIER));
    expect((await here.caliban("memory")).stdout).toContain(
      "  server   notes (not connected yet; on demand)\n",
    );
    expect(recorded(here)).toBe("");
    await recordTools(here);
    await rm(join(here.home, "record.txt"));
    const label = "not connected; last used a moment ago";
    expect((await here.caliban("memory")).stdout).toContain(
      `  server   notes (${label}, 1 memory; on demand)\n`,
    );
    expect((await here.caliban("memory", "explain")).stdout).toContain(
      `  on demand server   notes\n            KNOWN: ${label}, 1 memory\n`,
    );
    const { servers, totalTokens } = JSON.parse(
      (await here.caliban("memory", "explain", "--json")).stdout,
    );
    expect(servers).toEqual([{ name: "notes", state: "known", sentence: label, memories: 1 }]);
    expect(totalTokens).toBe(0);
    expect((await here.caliban("memory", "--no-memory")).stdout).not.toContain("server");
    expect(recorded(here)).toBe("");
  });

  it("shows a memory server in the receipt of a conversation with its current state", async () => {
    const here = await machine();
    await writeSettings(here, entry(here, "plain", TIER));
    const { conversation } = await open(here);
    expect(conversation.receipt().servers).toMatchObject([{ name: "notes", state: "unknown" }]);
    conversation.startServers(() => undefined);
    await until(() => conversation.receipt().servers?.[0]?.memories === 1);
    expect(conversation.receipt().servers).toEqual([
      { name: "notes", state: "connected", message: "connected", memories: 1 },
    ]);
    expect(await slash(here, conversation, "/memory")).toMatchObject({
      text: expect.stringContaining("  server   notes (connected, 1 memory; on demand)\n"),
    });
    expect(recorded(here)).not.toContain("resources/read");
  });

  it("shows in the receipt why a memory server failed", async () => {
    const here = await machine();
    await writeSettings(here, entry(here, "exits", TIER));
    const { conversation } = await open(here);
    conversation.startServers(() => undefined);
    await until(() => conversation.receipt().servers?.[0]?.state === "absent");
    const reason = "exited with code 3; last output: first / no config\\u{7} file";
    expect(conversation.receipt().servers).toEqual([
      { name: "notes", state: "absent", message: `unavailable: ${reason}` },
    ]);
    await conversation.close();
    expect((await here.caliban("memory")).stdout).toContain(
      `  server   notes (failed a moment ago: ${reason}; on demand)\n`,
    );
  });

  it("omits a memory server from the receipt of a run without memory, but offers its tools", async () => {
    const here = await machine();
    await writeSettings(here, entry(here, "plain", TIER));
    await recordTools(here);
    const { conversation } = await open(here, { flags: { memory: false } });
    expect(serverTools(conversation)).toHaveLength(5);
    expect(conversation.receipt().servers).toBeUndefined();
  });
});
