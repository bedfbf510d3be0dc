import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Answer } from "../../../../../test/support/model-server/answer.ts";
import {
  type ModelServer,
  startModelServer,
} from "../../../../../test/support/model-server/model-server.ts";
import {
  messagesOf,
  type ReceivedRequest,
  systemOf,
} from "../../../../../test/support/model-server/received-request.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { type Machine, machine } from "../../fake-host.ts";
import { openTestConversation, type TestConversationInput } from "../open-test-conversation.ts";

const PROJECT = ".local/share/caliban/projects/SLUG";
const SESSION = "20260810-090000-aaaa";
const DECISION =
  "From now on the connection pool in src/db/pool.ts has a maximum of 20 connections, because the proxy drops more than that.";

function pastSession(...texts: readonly string[]): string {
  const at = "2026-08-10T09:00:00.000Z";
  const start = { type: "session-start", v: 1, id: SESSION, at, workspace: "/app", cwd: "/app" };
  const messages = texts.flatMap((text, index) => [
    { type: "message", id: `m${2 * index + 1}`, at, message: { role: "user", text } },
    {
      type: "message",
      id: `m${2 * index + 2}`,
      at,
      message: { role: "assistant", model: "m/m", parts: [{ type: "text", text: "Understood." }] },
    },
  ]);
  const records = [{ ...start, model: "m/m", version: "1.2.3", title: texts[0] }, ...messages];
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const TOPIC = `---\nname: deploy\ndescription: "deploy with pnpm ship"\nmetadata:\n  type: project\napplies: {"commands": ["false *"]}\n---\n\nDeploy with pnpm ship, never npm publish.\n`;
const FILES = {
  "app/src/db/pool.ts": "export const pool = createPool({ max: 10 });\n",
  "app/src/db/index.ts": 'export { pool } from "./pool.ts";\n',
  "app/README.md": "# App\n",
  [`${PROJECT}/sessions/${SESSION}.jsonl`]: pastSession(
    "Let us look at the database.",
    DECISION,
    "Thanks.",
  ),
};

interface Wire {
  readonly here: Machine;
  readonly server: ModelServer;
  readonly open: (input?: TestConversationInput) => Promise<Conversation>;
}

/** A project with a past session, and a model that gives these answers. */
async function wire(
  script: readonly Answer[],
  {
    settings = "",
    files = {},
  }: { readonly settings?: string; readonly files?: Readonly<Record<string, string>> } = {},
): Promise<Wire> {
  const server = await startModelServer({ script: [...script] });
  onTestFinished(server.close);
  const here = await machine({
    ...FILES,
    ...files,
    ".config/caliban/settings.toml": `[models]\ndefault = "local/m"\n[providers.local]\nbase_url = "${server.baseUrl("chat-completions")}"\n[sandbox]\nmode = "off"\n${settings}`,
  });
  const open = async (input: TestConversationInput = {}): Promise<Conversation> => {
    const { conversation } = await openTestConversation(here, input);
    onTestFinished(conversation.close);
    return conversation;
  };
  return { here, server, open };
}

const read = (...paths: readonly string[]): Answer => ({
  toolCalls: paths.map((file_path) => ({ name: "Read", input: { file_path } })),
});
const DONE: Answer = { text: "Done." };

function requestAt({ requests }: ModelServer, at: number): ReceivedRequest {
  const request = requests.at(at);
  if (request === undefined) throw new Error(`there is no request ${at}`);
  return request;
}

/** The results of all calls in a request, in order. */
function resultsIn(server: ModelServer, at: number): readonly string[] {
  const messages = messagesOf(requestAt(server, at));
  return messages.flatMap(({ toolResults }) => toolResults).map(({ text }) => text);
}

const notesIn = (texts: readonly string[]): number =>
  texts.join("\n").split("<memory-note source").length - 1;

describe("a note on the wire", () => {
  it("brings the decision of a past session with its date to the model that reads the file", async () => {
    const { server, open } = await wire([read("src/db/pool.ts"), DONE]);
    const conversation = await open();
    await conversation.send("raise the limit in src/db/pool.ts");
    const [result = ""] = resultsIn(server, 1);
    expect(result).toMatch(/^1\texport const pool/);
    expect(result).toContain("has a maximum of 20 connections");
    expect(result).toMatch(
      /\n\n<memory-note source="decided on 2026-08-10, session [^"]+" [^>]+>\n/,
    );
    expect(new Set(server.requests.map(systemOf)).size).toBe(1);
    expect(systemOf(requestAt(server, 0))).not.toContain("20 connections");
    expect(conversation.notes().count).toBe(1);
  });

  it("comes again after a rewind to before it, because the model no longer sees it", async () => {
    const script = [read("src/db/pool.ts"), DONE, read("src/db/pool.ts"), DONE];
    const { server, open } = await wire(script);
    const conversation = await open();
    await conversation.send("raise the limit in src/db/pool.ts");
    const [choice] = await conversation.rewindChoices();
    await conversation.rewind({ to: choice?.id ?? "", what: "both", steps: [] });
    expect(conversation.notes().count).toBe(0);
    await conversation.send("raise the limit in src/db/pool.ts, please");
    const sent = messagesOf(requestAt(server, 3));
    const results = sent.flatMap(({ toolResults }) => toolResults);
    expect(notesIn([...sent, ...results].map(({ text }) => text))).toBe(1);
    expect(conversation.notes().count).toBe(1);
  });

  it("uses the nonce that the first message tells", async () => {
    const { server, open } = await wire([read("src/db/pool.ts"), DONE]);
    await (await open()).send("raise the limit in src/db/pool.ts");
    const [first] = messagesOf(requestAt(server, 1));
    const nonce = /nonce="(\w+)"/.exec(first?.text ?? "")?.[1];
    expect(nonce).toBeDefined();
    expect(resultsIn(server, 1)[0]).toContain(`nonce="${nonce}">`);
  });

  it("shows a memory once for parallel calls and in a resumed session, and again after a summary", async () => {
    const reading = read("src/db/pool.ts", "src/db/index.ts", "src/db/pool.ts");
    const { server, open } = await wire([
      reading,
      DONE,
      reading,
      DONE,
      DONE,
      { text: "Summary." },
      reading,
      DONE,
    ]);
    const first = await open();
    await first.send("raise the limit in src/db/pool.ts");
    expect(notesIn(resultsIn(server, 1))).toBe(1);
    await first.close();
    const second = await open({ session: { kind: "id", id: first.id() } });
    await second.send("check src/db/pool.ts once more");
    expect(notesIn(resultsIn(server, 3))).toBe(1);
    await second.send("thanks");
    await second.compact();
    await second.send("raise the limit in src/db/pool.ts");
    const last = messagesOf(requestAt(server, -1));
    const results = last.flatMap(({ toolResults }) => toolResults);
    const texts = [...last, ...results].map(({ text }) => text);
    expect(notesIn(texts)).toBe(1);
  });

  it("warns about a command that a topic is about, also when it fails", async () => {
    const { server, open } = await wire(
      [{ toolCalls: [{ name: "Bash", input: { command: "false release" } }] }, DONE],
      { files: { [`${PROJECT}/memory/deploy.md`]: TOPIC } },
    );
    await (
      await open({ flags: { permissions: { allow: ["Bash"], ask: [], deny: [] } } })
    ).send("go");
    expect(resultsIn(server, 1)[0]).toMatch(/<memory-note source="topic deploy, [^"]+"/);
    expect(resultsIn(server, 1)[0]).toContain("pnpm ship");
  });

  it.for<readonly [string, string, TestConversationInput]>([
    ['recall = "message"', '[memory]\nrecall = "message"\n', {}],
    ['recall = "off"', '[memory]\nrecall = "off"\n', {}],
    ["auto = false", "[memory]\nauto = false\n", {}],
    ["--bare", "", { flags: { bare: true } }],
    ["--no-memory", "", { flags: { memory: false } }],
    ["a rule", '[permissions]\ndeny = ["memory.read"]\n', {}],
  ])("a note is off with %s", async ([, settings, input]) => {
    const { server, open, here } = await wire([read("src/db/pool.ts"), DONE], { settings });
    const modelName = input.flags?.bare === true ? { modelName: "offline/rehearsal" } : {};
    await (await open({ ...input, ...modelName })).send("raise the limit in src/db/pool.ts");
    expect(server.requests.map(({ text }) => text).join("\n")).not.toContain("<memory-note source");
    expect(existsSync(join(here.home, ".local/state/caliban/use"))).toBe(false);
  });

  it("a note does not appear for a file that no memory is about", async () => {
    const { server, open } = await wire([read("README.md"), DONE]);
    await (await open()).send("what is in the readme?");
    expect(notesIn(resultsIn(server, 1))).toBe(0);
  });

  it("a note is counted with what the agent did next", async () => {
    const edit = { file_path: "src/db/pool.ts", old_string: "max: 10", new_string: "max: 20" };
    const { open, here } = await wire([
      read("src/db/pool.ts"),
      { toolCalls: [{ name: "Edit", input: edit }] },
      DONE,
    ]);
    const permissions = { allow: ["Edit"], ask: [], deny: [] };
    await (await open({ flags: { permissions } })).send("raise the limit in src/db/pool.ts");
    const path = join(here.home, ".local/state/caliban/use", `${here.slug}.json`);
    const { memories } = JSON.parse(await readFile(path, "utf8")) as {
      readonly memories: Readonly<Record<string, unknown>>;
    };
    expect(Object.values(memories)).toMatchObject([{ shown: 1, followed: 1, ignored: 0 }]);
  });

  it("starts no index in a run that ends with its only answer", async () => {
    const { open, here } = await wire([DONE]);
    const conversation = await open();
    await conversation.send("hello");
    await conversation.close();
    expect(existsSync(join(here.home, ".local/state/caliban/search"))).toBe(false);
  });
});
