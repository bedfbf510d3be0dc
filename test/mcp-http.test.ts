import { once } from "node:events";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HttpAttempt, refusedRequests, rpc } from "./attack/http-requests.ts";
import { INITIALIZE, TOPIC, until } from "./support/mcp-process.ts";
import { type TestHome, createHome } from "./support/run-caliban.ts";

interface HttpServer {
  readonly user: TestHome;
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly process: ReturnType<TestHome["start"]>;
}

/** Without the inbox, in which the changes of other agents wait. */
const SAVES_AT_ONCE = { ".config/caliban/settings.toml": '[memory]\nwrite = "allow"\n' };
const TOKEN_FILE = ".local/state/caliban/mcp-token";

async function serve(
  files: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<HttpServer> {
  const user = await createHome(files);
  const process = user.start(["mcp", "--http", "0", "--workspace", ".", ...args]);
  let printed = "";
  process.child.stderr?.on("data", (chunk) => void (printed += String(chunk)));
  await process.printed("mcp-token");
  const url = /http:\S+\/mcp/.exec(printed)?.[0] ?? "";
  const token = (await readFile(join(user.home, TOKEN_FILE), "utf8")).trim();
  expect(printed).not.toContain(token);
  return { user, url, port: Number(new URL(url).port), token, process };
}

async function connect({ url, token }: HttpServer, name = "over-http"): Promise<Client> {
  const client = new Client({ name, version: "1.0.0" });
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** With node:http, because fetch does not allow a Host header. */
async function send({ port, token }: HttpServer, input: HttpAttempt): Promise<Reply> {
  const { method = "POST", path = "/mcp", body = "", headers = {} } = input;
  const all: Record<string, string | undefined> = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
  };
  const given = Object.entries(all).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return await new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, method, path, headers: Object.fromEntries(given) },
      (response) => {
        let text = "";
        response.on("data", (chunk) => void (text += String(chunk)));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("`caliban mcp --http`", () => {
  it("serves several clients, records their names, and notifies them of each other's changes", async () => {
    const server = await serve(SAVES_AT_ONCE);
    const [one, other] = await Promise.all([connect(server, "one"), connect(server, "other")]);
    const heard: string[] = [];
    other.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
    await other.subscribeResource({ uri: "memory://index" });
    // The stream for notifications is opened in parallel with the first requests.
    await until(async () => {
      const name = `note-${heard.length}-${Date.now()}`;
      await one.callTool({ name: "WriteMemoryTopic", arguments: { ...TOPIC, name } });
      await new Promise((resolve) => setTimeout(resolve, 200));
      return heard.includes("notifications/resources/updated");
    });
    await other.callTool({ name: "WriteMemoryTopic", arguments: TOPIC });
    const log = (await server.user.run(["memory", "log"])).stdout;
    expect(log).toContain("agent (mcp:one)");
    expect(log).toContain("agent (mcp:other)");
    const { tools } = await one.listTools();
    expect(tools.length).toBe(3);
    await expect(one.readResource({ uri: "memory://topics/none" })).rejects.toMatchObject({
      code: -32_002,
    });
  });

  it("forgets a client that disconnects, and the one idle for longest if there are too many", async () => {
    const server = await serve();
    const open = async (): Promise<string> => {
      const reply = await send(server, { body: rpc(1, "initialize", INITIALIZE) });
      return String(reply.headers["mcp-session-id"]);
    };
    const ask = async (session: string): Promise<number> => {
      const headers = { "mcp-session-id": session };
      return (await send(server, { headers, body: rpc(2, "tools/list") })).status;
    };
    const first = await open();
    const headers = { "mcp-session-id": first };
    expect((await send(server, { method: "DELETE", headers })).status).toBe(200);
    expect(await ask(first)).toBe(404);
    const [used, idle] = [await open(), await open()];
    for (let count = 0; count < 62; count += 1) await open();
    expect(await ask(used)).toBe(200);
    const last = await open();
    expect([await ask(idle), await ask(used), await ask(last)]).toEqual([404, 200, 200]);
  });

  it("stores its token in a file that only the user can read, and uses it again", async () => {
    const server = await serve({}, ["--read-only"]);
    const path = join(server.user.home, TOKEN_FILE);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
    expect(server.token).toMatch(/^[\w-]{43}$/);
    const again = server.user.start(["mcp", "--http", "0", "--workspace", "."]);
    await again.printed("mcp-token");
    expect((await readFile(path, "utf8")).trim()).toBe(server.token);
  });

  it.for<[string, (path: string) => Promise<void>, string]>([
    ["that other users may read", async (path) => await chmod(path, 0o640), "chmod 600"],
    ["without a token", async (path) => await writeFile(path, "x\n"), "contains no token"],
  ])("refuses a token file %s", async ([, spoil, message]) => {
    const user = await createHome({ [TOKEN_FILE]: `${"t".repeat(43)}\n` });
    await chmod(join(user.home, TOKEN_FILE), 0o600);
    await spoil(join(user.home, TOKEN_FILE));
    const ended = await user.run(["mcp", "--http", "0", "--workspace", "."]);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain("t".repeat(43));
  });

  it("refuses a token file that is a symbolic link", async () => {
    const user = await createHome({ token: `${"t".repeat(43)}\n` });
    await mkdir(join(user.home, ".local/state/caliban"), { recursive: true });
    await symlink(join(user.home, "token"), join(user.home, TOKEN_FILE));
    const ended = await user.run(["mcp", "--http", "0", "--workspace", "."]);
    expect(ended).toMatchObject({ exitCode: 2 });
    expect(ended.stderr).toContain("a symbolic link");
  });

  it.for([
    [["--http", "0"], "--http requires --workspace DIR"],
    [["--http", "99999", "--workspace", "."], "invalid port for --http"],
    [["--http", "http", "--workspace", "."], "invalid port for --http"],
  ] as const)("reports the usage error in %j", async ([args, message]) => {
    const ended = await (await createHome()).run(["mcp", ...args]);
    expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ended.stderr).toContain(message);
  });

  it("reports a port that is in use, and ends cleanly with a signal", async () => {
    const server = await serve();
    const second = await server.user.run([
      "mcp",
      "--http",
      String(server.port),
      "--workspace",
      ".",
    ]);
    expect(second).toMatchObject({ exitCode: 2 });
    expect(second.stderr).toContain(`cannot use port ${server.port}: already in use`);
    await connect(server);
    server.process.child.kill("SIGTERM");
    expect(await server.process.ended).toMatchObject({ exitCode: 143, stdout: "" });
  });
});

describe("a request over HTTP", () => {
  it("accepts a request only with the right token, host, origin, path, method and content", async () => {
    const server = await serve();
    const { port, token } = server;
    for (const [input, status, message] of refusedRequests(server)) {
      const reply = await send(server, input);
      expect(reply.status, `for ${JSON.stringify(input)}`).toBe(status);
      const { error, jsonrpc } = JSON.parse(reply.body) as {
        readonly jsonrpc: string;
        readonly error: { readonly code: number; readonly message: string };
      };
      expect([jsonrpc, error.message]).toEqual(["2.0", expect.stringContaining(message) as string]);
      expect(reply.body).not.toContain(token);
    }
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      const headers = { host: `${host}:${port}`, origin: `http://${host}:${port}` };
      const reply = await send(server, { headers, body: rpc(1, "initialize", INITIALIZE) });
      expect(reply.status, `for ${host}`).toBe(200);
    }
    await connect(server);
  });

  it("refuses a request larger than 1 MiB, with or without a Content-Length", async () => {
    const server = await serve(SAVES_AT_ONCE);
    const body = rpc(1, "initialize", { ...INITIALIZE, more: "x".repeat(10 * 1024 * 1024) });
    for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
      const reply = await send(server, { body, headers });
      expect(reply.status).toBe(413);
      expect(reply.body).toContain("the limit is 1048576 bytes");
    }
    const client = await connect(server);
    const fits = await client.callTool({
      name: "WriteMemoryTopic",
      arguments: { ...TOPIC, body: "x".repeat(250_000) },
    });
    expect(fits.isError).toBeUndefined();
  });

  it("closes a request that never ends", async () => {
    const { port } = await serve();
    const socket = connectSocket(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `);
    const [chunk] = await once(socket, "data");
    expect(String(chunk)).toContain("408");
  });

  it("completes a write even if the client disconnects", async () => {
    const server = await serve(SAVES_AT_ONCE);
    const opened = await send(server, { body: rpc(1, "initialize", INITIALIZE) });
    const session = String(opened.headers["mcp-session-id"]);
    const names = Array.from({ length: 12 }, (_, index) => `topic-${index}`);
    for (const name of names) {
      const sent = request({
        host: "127.0.0.1",
        port: server.port,
        method: "POST",
        path: "/mcp",
        headers: {
          authorization: `Bearer ${server.token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-session-id": session,
        },
      });
      sent.on("error", () => undefined);
      const body = "z".repeat(20_000);
      sent.end(
        rpc(2, "tools/call", { name: "WriteMemoryTopic", arguments: { ...TOPIC, name, body } }),
      );
      sent.on("finish", () => setTimeout(() => sent.destroy(), 5));
    }
    const client = await connect(server);
    await until(async () => {
      const { resources } = await client.listResources();
      return names.every((name) => resources.some(({ uri }) => uri.endsWith(`/${name}`)));
    });
    const { stdout } = await server.user.run(["memory", "read", "memory://index"]);
    for (const name of names) expect(stdout).toContain(`[${name}](${name}.md)`);
  });
});
