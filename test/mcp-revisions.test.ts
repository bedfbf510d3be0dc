import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioTransport1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { childEnvironment } from "./support/child-environment.ts";
import {
  type Client2,
  type Client2Input,
  connectClient2,
  connectHttp2,
  REVISION,
} from "./support/mcp-client-2.ts";
import { type RawServer, startRaw, TOPIC, until } from "./support/mcp-process.ts";
import { BIN, createHome, type TestHome } from "./support/run-caliban.ts";

const SAVES_AT_ONCE = { ".config/caliban/settings.toml": '[memory]\nwrite = "allow"\n' };
const ASKS = ["--ask", "memory.write"];
const WRITE = { name: "WriteMemoryTopic", arguments: TOPIC };

interface Way {
  readonly connect: (input?: Client2Input) => Promise<Client2>;
}

async function overStdio(user: TestHome, args: readonly string[] = []): Promise<Way> {
  return { connect: (input) => connectClient2(user, { ...input, args }) };
}

async function overHttp(user: TestHome, args: readonly string[] = []): Promise<Way> {
  const server = user.start(["mcp", "--http", "0", "--workspace", ".", ...args]);
  let printed = "";
  server.child.stderr?.on("data", (chunk) => void (printed += String(chunk)));
  await server.printed("mcp-token");
  const url = /http:\S+\/mcp/.exec(printed)?.[0] ?? "";
  const token = (await readFile(join(user.home, ".local/state/caliban/mcp-token"), "utf8")).trim();
  return { connect: (input) => connectHttp2({ url, token }, input) };
}

const WAYS = [
  ["stdio", overStdio],
  ["HTTP", overHttp],
] as const;

/** The members that every request since 2026-07-28 has. */
const envelope = (capabilities: object = {}): object => ({
  _meta: {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  },
});

describe.for(WAYS)("a client of version 2 of the SDK over %s", ([, open]) => {
  it("speaks 2026-07-28, and the older revision if it asks for that", async () => {
    const { connect } = await open(await createHome(SAVES_AT_ONCE));
    const { client } = await connect({ name: "newer" });
    expect(client.getNegotiatedProtocolVersion()).toBe(REVISION);
    expect(client.getInstructions()).toContain("WriteMemoryTopic");
    const { client: older } = await connect({ mode: "legacy" });
    expect(older.getNegotiatedProtocolVersion()).toBe("2025-11-25");
    for (const each of [client, older]) {
      const { tools } = await each.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        "ReadMemoryTopic",
        "WriteMemoryTopic",
        "MemorySearch",
      ]);
      const { resources } = await each.listResources();
      expect(resources[0]?.uri).toBe("memory://index");
      expect((await each.listPrompts()).prompts).toHaveLength(2);
    }
  });

  it("writes and reads as the client that the request names", async () => {
    const user = await createHome(SAVES_AT_ONCE);
    const { connect } = await open(user);
    const { client } = await connect({ name: "newer" });
    expect((await client.callTool(WRITE)).isError).toBeUndefined();
    const { contents } = await client.readResource({ uri: "memory://topics/pnpm" });
    expect(JSON.stringify(contents)).toContain("Never npm.");
    expect((await user.run(["memory", "log"])).stdout).toContain("agent (mcp:newer)");
  });

  it("hears of the changes that it asked for, and of no others", async () => {
    const { connect } = await open(await createHome(SAVES_AT_ONCE));
    const [one, other] = [await connect(), await connect()];
    const subscription = await one.client.listen({
      resourceSubscriptions: ["memory://index", "memory://topics/none", "file:///etc/passwd"],
      resourcesListChanged: true,
    });
    expect(subscription.honoredFilter.resourcesListChanged).toBe(true);
    await other.client.callTool(WRITE);
    await until(() => one.notified.length >= 2);
    expect(new Set(one.notified)).toEqual(
      new Set([
        "notifications/resources/updated memory://index",
        "notifications/resources/list_changed",
      ]),
    );
    expect(other.notified).toEqual([]);
    const before = one.notified.length;
    await subscription.close();
    await other.client.callTool({ ...WRITE, arguments: { ...TOPIC, name: "other" } });
    await other.client.listTools();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(one.notified).toHaveLength(before);
  });

  it.for(["auto", "legacy"] as const)(
    "asks the user about a call that needs an approval (%s)",
    async (mode) => {
      const user = await createHome(SAVES_AT_ONCE);
      const { connect } = await open(user, ASKS);
      const asked: string[] = [];
      const answers: ("yes" | "no" | "decline" | "cancel")[] = ["no", "decline", "cancel", "yes"];
      const { client } = await connect({
        mode,
        answer: (message) => {
          asked.push(message);
          return answers.shift() ?? "no";
        },
      });
      for (let count = 0; count < 3; count += 1) {
        const refused = await client.callTool(WRITE);
        expect(refused.isError).toBe(true);
        expect(JSON.stringify(refused)).toContain("the user declined");
      }
      expect((await client.callTool(WRITE)).isError).toBeUndefined();
      expect(asked).toHaveLength(4);
      expect(asked[0]).toMatch(/^WriteMemoryTopic \(pnpm: we use pnpm\) needs your approval\./);
      expect((await user.run(["memory", "list"])).stdout).toContain("pnpm");
      // The answer was about one call.
      const next = await client.callTool({ ...WRITE, arguments: { ...TOPIC, name: "other" } });
      expect(next.isError).toBe(true);
    },
  );

  it("denies what needs an approval if the client cannot ask", async () => {
    const { connect } = await open(await createHome(SAVES_AT_ONCE), ASKS);
    const { client } = await connect();
    const refused = await client.callTool(WRITE);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused)).toContain("No one is available to approve it.");
  });
});

it("asks the user of a client of version 1 of the SDK about a call that needs an approval", async () => {
  const user = await createHome(SAVES_AT_ONCE);
  const client = new Client1(
    { name: "client-1", version: "1" },
    { capabilities: { elicitation: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: "accept",
    content: { allow: true },
  }));
  onTestFinished(() => client.close());
  await client.connect(
    new StdioTransport1({
      command: process.execPath,
      args: [BIN, "mcp", ...ASKS],
      env: childEnvironment(user.home),
      cwd: join(user.home, "app"),
      stderr: "ignore",
    }),
  );
  expect((await client.callTool(WRITE)).isError).toBeUndefined();
});

describe("a request of 2026-07-28", () => {
  const ask = async (
    server: RawServer,
    id: number,
    method: string,
    params: object = {},
  ): Promise<Record<string, unknown>> => {
    const { result, error } = await server.ask(id, method, { ...envelope(), ...params });
    return { ...result, error };
  };

  it("gets lists that say how long they may be used, in the same order each time", async () => {
    const server = startRaw(await createHome());
    const first = await ask(server, 1, "tools/list");
    expect(first).toMatchObject({ resultType: "complete", ttlMs: 300_000, cacheScope: "private" });
    expect((await ask(server, 2, "tools/list"))["tools"]).toEqual(first["tools"]);
    for (const [at, method] of [
      "resources/list",
      "prompts/list",
      "resources/templates/list",
    ].entries())
      expect(await ask(server, 10 + at, method)).toMatchObject({ cacheScope: "private" });
    expect(await ask(server, 20, "resources/read", { uri: "memory://index" })).toMatchObject({
      ttlMs: 0,
      cacheScope: "private",
    });
    expect(await ask(server, 21, "server/discover")).toMatchObject({
      supportedVersions: [REVISION],
      ttlMs: 300_000,
    });
    expect(
      (await ask(server, 22, "resources/read", { uri: "memory://topics/none" }))["error"],
    ).toMatchObject({
      code: -32_602,
      data: { uri: "memory://topics/none" },
    });
  });

  it("refuses an invalid request with a reason, and answers the next one", async () => {
    const server = startRaw(await createHome());
    await ask(server, 1, "tools/list");
    const version = { "io.modelcontextprotocol/protocolVersion": REVISION };
    const wrong: readonly [string, unknown, number][] = [
      ["tools/list", { _meta: version }, -32_602],
      ["tools/list", {}, -32_602],
      [
        "tools/list",
        { _meta: { ...version, "io.modelcontextprotocol/protocolVersion": 7 } },
        -32_602,
      ],
      [
        "initialize",
        {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "x", version: "1" },
        },
        -32_022,
      ],
      ["ping", envelope(), -32_601],
      ["resources/subscribe", { ...envelope(), uri: "memory://index" }, -32_601],
      ["nothing/here", envelope(), -32_601],
      ["tools/call", { ...envelope(), name: 5 }, -32_602],
      ["resources/read", { ...envelope(), uri: null }, -32_602],
      ["subscriptions/listen", envelope(), -32_602],
      [
        "subscriptions/listen",
        { ...envelope(), notifications: { resourceSubscriptions: 5 } },
        -32_602,
      ],
    ];
    for (const [at, [method, params, code]] of wrong.entries()) {
      const { error } = await server.ask(100 + at, method, params);
      expect(error?.code, `for ${method} ${JSON.stringify(params)}`).toBe(code);
    }
    expect(await ask(server, 2, "resources/read", { uri: "memory://index" })).toMatchObject({
      resultType: "complete",
    });
  });

  it("watches no more than a limit of resources and subscriptions", async () => {
    const server = startRaw(await createHome());
    const addresses = Array.from({ length: 20_000 }, (_, at) => `memory://topics/t${at}`);
    for (let id = 1; id <= 70; id += 1) {
      const params = {
        ...envelope(),
        notifications: { resourceSubscriptions: id === 1 ? addresses : ["memory://index"] },
      };
      server.write(
        `${JSON.stringify({ jsonrpc: "2.0", id, method: "subscriptions/listen", params })}\n`,
      );
    }
    for (let id = 65; id <= 70; id += 1)
      expect((await server.answerTo(id)).error?.message).toBe("Subscription limit reached");
    expect(await ask(server, 100, "tools/list")).toMatchObject({ resultType: "complete" });
    // The end of the input ends every subscription.
    server.child.stdin?.end();
    expect(await server.ended).toMatchObject({ exitCode: 0 });
  });

  it("counts an approval for nothing but the call that the user was asked about", async () => {
    const user = await createHome(SAVES_AT_ONCE);
    const server = startRaw(user, ASKS);
    const form = envelope({ elicitation: { form: {} } });
    const yes = { approval: { action: "accept", content: { allow: true } } };
    const call = async (id: number, more: object = {}): Promise<Record<string, unknown>> => {
      const { result, error } = await server.ask(id, "tools/call", { ...form, ...WRITE, ...more });
      return { ...result, error };
    };
    // An answer to a question that was never asked.
    const first = await call(1, { inputResponses: yes });
    expect(first).toMatchObject({ resultType: "input_required" });
    const state = first["requestState"];
    const other = { arguments: { ...TOPIC, name: "other" } };
    for (const [at, more] of [
      { ...other, requestState: state },
      { requestState: `${String(state)}x` },
      { requestState: "v1.e30.e30" },
      { requestState: 5 },
      {},
    ].entries()) {
      const answer = await call(10 + at, { inputResponses: yes, ...more });
      expect(answer["isError"] ?? answer["error"] ?? answer["resultType"]).not.toBe("complete");
    }
    expect((await user.run(["memory", "list"])).stdout).not.toContain("pnpm");
    const done = await call(20, { inputResponses: yes, requestState: state });
    expect(done).toMatchObject({ resultType: "complete", structuredContent: { slug: "pnpm" } });
  });
});

describe("the inspector", () => {
  const require = createRequire(import.meta.url);
  const packageFile = require.resolve("@modelcontextprotocol/inspector/package.json");
  const launcher = join(packageFile, "../clients/launcher/build/index.js");
  const inspect = async ({ home }: TestHome, args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [launcher, "--cli", process.execPath, BIN, "mcp", ...args],
      { cwd: join(home, "app"), env: childEnvironment(home) },
    );
    return stdout;
  };

  it("lists tools that providers accept, and calls one", async () => {
    const user = await createHome(SAVES_AT_ONCE);
    // It fails if a schema has a problem.
    expect(await inspect(user, ["--method", "tools/list", "--strict"])).toContain("MemorySearch");
    const write = ["--method", "tools/call", "--tool-name", "WriteMemoryTopic"];
    await inspect(user, [...write, "--tool-args-json", JSON.stringify(TOPIC)]);
    const read = ["--method", "resources/read", "--uri", "memory://topics/pnpm"];
    expect(await inspect(user, read)).toContain("Never npm.");
    expect(await inspect(user, ["--method", "prompts/list"])).toContain("recall");
  });
});
