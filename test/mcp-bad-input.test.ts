import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { INVALID_MESSAGES } from "./attack/mcp-messages.ts";
import {
  connectClient,
  INITIALIZE,
  type RawServer,
  startRaw,
  TOPIC,
} from "./support/mcp-process.ts";
import { type TestHome, createHome } from "./support/run-caliban.ts";

/** Without the inbox, in which the changes of other agents wait. */
const SAVES_AT_ONCE = { ".config/caliban/settings.toml": '[memory]\nwrite = "allow"\n' };

const MEGABYTE = 1024 * 1024;

async function initialized(user: TestHome, args: readonly string[] = []): Promise<RawServer> {
  const server = startRaw(user, args);
  await server.initialize();
  return server;
}

/** Checks that the server still answers normally. */
async function expectAlive({ ask }: RawServer): Promise<void> {
  const { result } = await ask("alive", "resources/read", { uri: "memory://index" });
  expect(JSON.stringify(result)).toContain("# Memory index");
}

const call = (input: object): object => ({ name: "WriteMemoryTopic", arguments: input });

describe("a server that gets invalid input", () => {
  it("reports wrong types, unknown methods and requests in the wrong order", async () => {
    const server = startRaw(await createHome());
    expect(await server.ask(1, "tools/list")).toMatchObject({
      error: {
        code: -32_600,
        message: "tools/list is not allowed yet: the first request must be initialize",
      },
    });
    expect(await server.ask(2, "ping")).toMatchObject({ result: {} });
    expect(await server.ask(3, "initialize", { protocolVersion: 7 })).toMatchObject({
      error: {
        code: -32_602,
        message: expect.stringContaining("params.protocolVersion") as string,
      },
    });
    await server.initialize();
    expect(await server.ask(4, "initialize", INITIALIZE)).toMatchObject({
      error: { code: -32_600 },
    });
    const wrong: readonly [string, unknown, number, string][] = [
      ["nothing/here", {}, -32_601, 'no such method: "nothing/here"'],
      ["constructor", {}, -32_601, "no such method"],
      ["tools/call", { name: 5 }, -32_602, "invalid tools/call request: params.name"],
      ["tools/call", { name: "ReadMemoryTopic", arguments: "x" }, -32_602, "params.arguments"],
      [
        "tools/call",
        { name: "DeleteMemoryTopic" },
        -32_602,
        "available: ReadMemoryTopic, WriteMemoryTopic, MemorySearch",
      ],
      ["resources/read", { uri: null }, -32_602, "params.uri"],
      ["resources/subscribe", {}, -32_602, "params.uri"],
      ["resources/list", { cursor: 5 }, -32_602, "params.cursor"],
      ["prompts/get", { name: "none" }, -32_602, "available: remember, recall"],
      ["prompts/get", { name: "recall", arguments: { question: 5 } }, -32_602, "params.arguments"],
      ["completion/complete", { ref: 1 }, -32_602, "params.ref"],
    ];
    for (const [at, [method, params, code, message]] of wrong.entries()) {
      const { error } = await server.ask(100 + at, method, params);
      expect(error?.code, `for ${method}`).toBe(code);
      expect(error?.message).toContain(message);
    }
    const result = await server.ask(5, "tools/call", call({ ...TOPIC, type: "secret", extra: 1 }));
    expect(JSON.stringify(result)).toContain("WriteMemoryTopic was not run. ");
    expect(result.result?.["isError"]).toBe(true);
    await expectAlive(server);
  });

  it("reports an invalid message, and reads the next line", async () => {
    const server = await initialized(await createHome());
    for (const [line, code] of INVALID_MESSAGES) {
      server.write(line);
      server.write("\n");
      expect((await server.answerTo(null)).error?.code, `for ${String(line)}`).toBe(code);
    }
    server.write('{"id":31,"method":"ping"}\n');
    expect(await server.answerTo(31)).toMatchObject({ error: { code: -32_600 } });
    // Answers to no request, a cancellation of no request, and empty lines are ignored.
    server.write('\n\r\n{"jsonrpc":"2.0","id":77,"result":{}}\n');
    server.write('{"jsonrpc":"2.0","method":"notifications/cancelled"}\n');
    server.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}\n');
    // Nested so deeply that a recursive walk overflows the stack.
    const deep = `${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`;
    server.write(`{"jsonrpc":"2.0","id":78,"result":${deep}}\n`);
    server.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${deep}}\n`);
    server.write(
      `{"jsonrpc":"2.0","id":79,"method":"tools/call","params":{"name":"MemorySearch","arguments":${deep}}}\n`,
    );
    expect(JSON.stringify(await server.answerTo(79))).toContain("MemorySearch was not run");
    await expectAlive(server);
  });

  it("answers a message of ten megabytes with its id, and does not wait for an endless line", async () => {
    const user = await createHome();
    const server = await initialized(user);
    const long = "x".repeat(10 * MEGABYTE);
    const request = { method: "tools/call", params: call({ ...TOPIC, body: long }) };
    server.write(`${JSON.stringify({ ...request, jsonrpc: "2.0", id: 41 })}\n`);
    expect(await server.answerTo(41)).toMatchObject({
      error: {
        code: -32_600,
        message: expect.stringContaining("the limit is 1048576 bytes") as string,
      },
    });
    server.write(`${JSON.stringify({ jsonrpc: "2.0", id: "b-2", ...request })}\n`);
    expect((await server.answerTo("b-2")).error?.code).toBe(-32_600);
    server.write(`${long}\n`);
    expect((await server.answerTo(null)).error?.code).toBe(-32_600);
    await expectAlive(server);
    for (let part = 0; part < 20; part += 1) server.write(long);
    server.write("\n");
    expect((await server.answerTo(null)).error?.code).toBe(-32_600);
    expect((await user.run(["memory", "list"])).stdout).not.toContain("pnpm");
  });

  it("reads nothing at addresses that lead elsewhere, and reveals no path", async () => {
    const user = await createHome({
      "app/secret.md": "hidden",
      ".local/share/caliban/x.md": "hidden",
    });
    const server = await initialized(user);
    const addresses = [
      "memory://topics/../../secret",
      "memory://topics/..%2f..%2fsecret",
      "memory://topics/..%5c..%5csecret",
      "memory://topics/%2e%2e%2fsecret",
      "memory://topics/%252e%252e%252fsecret",
      "memory://topics/a%00b",
      "memory://topics/MEMORY",
      "memory://topics/.lock",
      "memory://topics/none",
      "memory://root/../memory/MEMORY.md",
      "memory://root//etc/passwd",
      "memory:///etc/passwd",
      "memory://",
      "memory://other",
      "MEMORY://index",
      `file://${user.home}/app/secret.md`,
      "/etc/passwd",
      "http://127.0.0.1/",
      "%",
      "",
      `memory://topics/${"x".repeat(5_000)}`,
    ];
    for (const [at, uri] of addresses.entries()) {
      const answer = await server.ask(200 + at, "resources/read", { uri });
      expect(answer.error?.code, `for ${uri}`).toBe(-32_002);
      expect(answer.error?.message.replace(uri, "")).not.toContain(user.home);
      const subscribed = await server.ask(300 + at, "resources/subscribe", { uri });
      expect(subscribed.error?.code).toBe(-32_002);
    }
    await expectAlive(server);
  });

  it("reports a file that cannot be used without its path", async () => {
    const user = await createHome({ "app/secret.md": "hidden" });
    const notes = join(user.home, `.local/share/caliban/projects/${user.slug}/memory`);
    const { mkdir, symlink } = await import("node:fs/promises");
    await mkdir(notes, { recursive: true });
    await symlink(join(user.home, "app/secret.md"), join(notes, "link.md"));
    const server = await initialized(user);
    const resource = await server.ask(1, "resources/read", { uri: "memory://topics/link" });
    const tool = await server.ask(2, "tools/call", {
      name: "ReadMemoryTopic",
      arguments: { name: "link" },
    });
    for (const answer of [resource, tool]) {
      expect(JSON.stringify(answer)).toMatch(/cannot (?:use|be used)/);
      expect(JSON.stringify(answer)).not.toContain(user.home);
      expect(JSON.stringify(answer)).not.toContain("hidden");
    }
  });
});

/** Sends a write of a large topic without waiting for the answer. */
function write({ write: send }: RawServer, id: number): void {
  const topic = { ...TOPIC, name: `topic-${id}`, body: `${"z".repeat(50_000)} end` };
  const request = { method: "tools/call", params: call(topic) };
  send(`${JSON.stringify({ jsonrpc: "2.0", id, ...request })}\n`);
}

describe("a server with a difficult client", () => {
  it("serves the current directory if the client announces roots and never lists them", async () => {
    const server = startRaw(await createHome());
    const capabilities = { roots: {} };
    await server.ask(1, "initialize", { ...INITIALIZE, capabilities });
    const { result } = await server.ask(2, "tools/list");
    expect(JSON.stringify(result)).toContain("WriteMemoryTopic");
    server.child.stdin?.end();
    expect((await server.ended).stderr).toContain("~/app, 0 topics");
  });

  it("finishes running calls that are cancelled, and does not start waiting ones", async () => {
    const user = await createHome(SAVES_AT_ONCE);
    const server = await initialized(user);
    for (let id = 1; id <= 30; id += 1) write(server, id);
    await server.answerTo(1);
    for (let requestId = 2; requestId <= 30; requestId += 1) {
      const cancel = { method: "notifications/cancelled", params: { requestId } };
      server.write(`${JSON.stringify({ jsonrpc: "2.0", ...cancel })}\n`);
    }
    await expectAlive(server);
    server.child.stdin?.end();
    expect(await server.ended).toMatchObject({ exitCode: 0 });
    const made = await expectComplete(user);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(30);
  });

  it("sends every answer once a client that did not read starts to read", async () => {
    const user = await createHome({
      ".local/share/caliban/projects/SLUG/memory/large.md": `---\nname: large\n---\n\n${"y".repeat(200_000)}\n`,
    });
    const server = await initialized(user);
    server.child.stdout?.pause();
    const asked = 400;
    for (let id = 1; id <= asked; id += 1) {
      const params = { uri: "memory://topics/large" };
      server.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "resources/read", params })}\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    server.child.stdout?.resume();
    expect((await server.answerTo(asked)).result).toBeDefined();
  });

  it("ends with a signal even if the client never reads", async () => {
    const user = await createHome({
      ".local/share/caliban/projects/SLUG/memory/large.md": `---\nname: large\n---\n\n${"y".repeat(200_000)}\n`,
    });
    const server = await initialized(user);
    server.child.stdout?.pause();
    for (let id = 1; id <= 50; id += 1) {
      const params = { uri: "memory://topics/large" };
      server.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "resources/read", params })}\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    const exited = new Promise((resolve) => server.child.once("exit", resolve));
    server.child.kill("SIGTERM");
    expect(await exited).toBe(143);
  });

  it.for(["SIGKILL to the client", "the end of its output"])(
    "leaves every topic complete and in the index if the client vanishes during writes: %s",
    async (way) => {
      const user = await createHome(SAVES_AT_ONCE);
      const server = await initialized(user);
      for (let id = 1; id <= 40; id += 1) write(server, id);
      await server.answerTo(1);
      // A killed client closes both pipes at once.
      if (way.startsWith("SIGKILL")) server.child.stdin?.destroy();
      server.child.stdout?.destroy();
      const { exitCode } = await server.ended;
      expect(exitCode).toBe(0);
      expect(await expectComplete(user)).toBeGreaterThan(0);
    },
  );

  it("loses at most the running write if the server is killed", async () => {
    const user = await createHome(SAVES_AT_ONCE);
    const server = await initialized(user);
    for (let id = 1; id <= 40; id += 1) write(server, id);
    await server.answerTo(3);
    server.child.kill("SIGKILL");
    await server.ended;
    // The next writer completes what was started.
    const { client } = await connectClient(user);
    await client.callTool({ name: "WriteMemoryTopic", arguments: TOPIC });
    expect(await expectComplete(user)).toBeGreaterThan(3);
  });
});

/** Checks that every topic is complete and in the index, with no stale files. Returns their number. */
async function expectComplete({ home, slug }: TestHome): Promise<number> {
  const directory = join(home, `.local/share/caliban/projects/${slug}/memory`);
  const files = await readdir(directory);
  const names = files.filter((name) => /^(?:topic-\d+|pnpm)\.md$/.test(name));
  const index = await readFile(join(directory, "MEMORY.md"), "utf8");
  for (const name of names) {
    expect(await readFile(join(directory, name), "utf8")).toMatch(/(?:end|Never npm\.)\n$/);
    expect(index).toContain(`(${name})`);
  }
  expect(new Set(files)).toEqual(new Set(["MEMORY.md", ...names]));
  return names.length;
}
