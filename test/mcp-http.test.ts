import { once } from "node:events";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { INITIALIZE, TOPIC, until } from "./support/mcp-process.ts";
import { type Household, household } from "./support/run-caliban.ts";

interface HttpServer {
  readonly place: Household;
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly process: ReturnType<Household["start"]>;
}

const TOKEN_FILE = ".local/state/caliban/mcp-token";

async function serve(
  files: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<HttpServer> {
  const place = await household(files);
  const process = place.start(["mcp", "--http", "0", "--workspace", ".", ...args]);
  let said = "";
  process.child.stderr?.on("data", (chunk) => void (said += String(chunk)));
  await process.printed("mcp-token");
  const url = /http:\S+\/mcp/.exec(said)?.[0] ?? "";
  const token = (await readFile(join(place.home, TOKEN_FILE), "utf8")).trim();
  expect(said).not.toContain(token);
  return { place, url, port: Number(new URL(url).port), token, process };
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

/** With node:http, because fetch lets nobody choose the Host header. */
async function send(
  { port, token }: HttpServer,
  wish: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: string | Uint8Array;
  },
): Promise<Reply> {
  const { method = "POST", path = "/mcp", body = "", headers = {} } = wish;
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

const rpc = (id: number, method: string, params?: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

describe("`caliban mcp --http`", () => {
  it("serves several clients at once, each by its name, and tells them of one another's changes", async () => {
    const server = await serve();
    const [one, other] = await Promise.all([connect(server, "one"), connect(server, "other")]);
    const heard: string[] = [];
    other.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
    await other.subscribeResource({ uri: "memory://index" });
    // The stream on which it hears of changes is opened beside the first requests.
    await until(async () => {
      const name = `note-${heard.length}-${Date.now()}`;
      await one.callTool({ name: "WriteMemoryTopic", arguments: { ...TOPIC, name } });
      await new Promise((resolve) => setTimeout(resolve, 200));
      return heard.includes("notifications/resources/updated");
    });
    await other.callTool({ name: "WriteMemoryTopic", arguments: TOPIC });
    const log = (await server.place.run(["memory", "log"])).stdout;
    expect(log).toContain("agent (mcp:one)");
    expect(log).toContain("agent (mcp:other)");
    const { tools } = await one.listTools();
    expect(tools.length).toBe(3);
    await expect(one.readResource({ uri: "memory://topics/none" })).rejects.toMatchObject({
      code: -32_002,
    });
  });

  it("forgets a client that says goodbye, and the one that was silent longest where there are too many", async () => {
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
    const [used, silent] = [await open(), await open()];
    for (let count = 0; count < 62; count += 1) await open();
    expect(await ask(used)).toBe(200);
    const last = await open();
    expect([await ask(silent), await ask(used), await ask(last)]).toEqual([404, 200, 200]);
  });

  it("keeps its token in a file of the person's alone, and the same one for the next time", async () => {
    const server = await serve({}, ["--read-only"]);
    const path = join(server.place.home, TOKEN_FILE);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
    expect(server.token).toMatch(/^[\w-]{43}$/);
    const again = server.place.start(["mcp", "--http", "0", "--workspace", "."]);
    await again.printed("mcp-token");
    expect((await readFile(path, "utf8")).trim()).toBe(server.token);
  });

  it.for<[string, (path: string) => Promise<void>, string]>([
    ["that others may read", async (path) => await chmod(path, 0o640), "chmod 600"],
    ["that holds no token", async (path) => await writeFile(path, "x\n"), "it holds no token"],
  ])("refuses a token file %s", async ([, spoil, sentence]) => {
    const place = await household({ [TOKEN_FILE]: `${"t".repeat(43)}\n` });
    await chmod(join(place.home, TOKEN_FILE), 0o600);
    await spoil(join(place.home, TOKEN_FILE));
    const ended = await place.run(["mcp", "--http", "0", "--workspace", "."]);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain(sentence);
    expect(ended.stderr).not.toContain("t".repeat(43));
  });

  it("refuses a token file that is a link", async () => {
    const place = await household({ token: `${"t".repeat(43)}\n` });
    await mkdir(join(place.home, ".local/state/caliban"), { recursive: true });
    await symlink(join(place.home, "token"), join(place.home, TOKEN_FILE));
    const ended = await place.run(["mcp", "--http", "0", "--workspace", "."]);
    expect(ended).toMatchObject({ exitCode: 2 });
    expect(ended.stderr).toContain("it is a symbolic link");
  });

  it.for([
    [["--http", "0"], "--http needs --workspace DIR"],
    [["--http", "99999", "--workspace", "."], "is no port"],
    [["--http", "http", "--workspace", "."], "is no port"],
  ] as const)("says how it is called for %j", async ([args, sentence]) => {
    const ended = await (await household()).run(["mcp", ...args]);
    expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ended.stderr).toContain(sentence);
  });

  it("says that a port is taken, and ends cleanly with a signal", async () => {
    const server = await serve();
    const second = await server.place.run([
      "mcp",
      "--http",
      String(server.port),
      "--workspace",
      ".",
    ]);
    expect(second).toMatchObject({ exitCode: 2 });
    expect(second.stderr).toContain(`port ${server.port} cannot be used: it is in use`);
    await connect(server);
    server.process.child.kill("SIGTERM");
    expect(await server.process.ended).toMatchObject({ exitCode: 143, stdout: "" });
  });
});

describe("a request over HTTP", () => {
  it("is let in by the right token, name and form alone", async () => {
    const server = await serve();
    const { port, token } = server;
    const wrong: readonly [Parameters<typeof send>[1], number, string][] = [
      [{ headers: { authorization: undefined } }, 401, "bearer token"],
      [{ headers: { authorization: "Bearer x" } }, 401, "bearer token"],
      [{ headers: { authorization: `Bearer ${token}x` } }, 401, "bearer token"],
      [{ headers: { authorization: `Basic ${token}` } }, 401, "bearer token"],
      [{ headers: { host: "evil.example" } }, 403, "Host header"],
      [{ headers: { host: `evil.example:${port}` } }, 403, "Host header"],
      [{ headers: { host: "127.0.0.1" } }, 403, "Host header"],
      [{ headers: { host: `127.0.0.1:${port + 1}` } }, 403, "Host header"],
      [{ headers: { origin: "https://evil.example" } }, 403, "web pages"],
      [{ headers: { origin: "null" } }, 403, "web pages"],
      [{ headers: { origin: `http://localhost:${port + 1}` } }, 403, "web pages"],
      [{ path: "/" }, 404, "/mcp"],
      [{ path: "/mcp/../x" }, 404, "/mcp"],
      [{ path: "/.well-known/oauth-protected-resource" }, 404, "/mcp"],
      [{ method: "PUT" }, 405, "POST, GET, DELETE"],
      [{ headers: { "content-type": "text/plain" }, body: "{}" }, 415, "application/json"],
      [{ body: "no JSON" }, 400, "no JSON"],
      [{ body: Buffer.from([0x22, 0xff, 0x22]) }, 400, "no JSON"],
      [{ body: `[${rpc(1, "ping")}]` }, 400, "by itself"],
      [{ body: "{}" }, 400, "JSON-RPC 2.0"],
      [{ body: rpc(1, "initialize", { protocolVersion: 7 }) }, 400, "initialize was not run"],
      [{ body: rpc(1, "tools/list") }, 400, "Mcp-Session-Id"],
      [{ body: rpc(1, "tools/list"), headers: { "mcp-session-id": "x" } }, 404, "no session"],
      [{ method: "GET" }, 400, "Mcp-Session-Id"],
      [{ method: "DELETE", headers: { "mcp-session-id": "x" } }, 404, "no session"],
    ];
    for (const [wish, status, sentence] of wrong) {
      const reply = await send(server, wish);
      expect(reply.status, `for ${JSON.stringify(wish)}`).toBe(status);
      const { error, jsonrpc } = JSON.parse(reply.body) as {
        readonly jsonrpc: string;
        readonly error: { readonly code: number; readonly message: string };
      };
      expect([jsonrpc, error.message]).toEqual([
        "2.0",
        expect.stringContaining(sentence) as string,
      ]);
      expect(reply.body).not.toContain(token);
    }
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      const headers = { host: `${host}:${port}`, origin: `http://${host}:${port}` };
      const reply = await send(server, { headers, body: rpc(1, "initialize", INITIALIZE) });
      expect(reply.status, `for ${host}`).toBe(200);
    }
    await connect(server);
  });

  it("of more than a mebibyte is refused, whether it says so or not, and the server goes on", async () => {
    const server = await serve();
    const body = rpc(1, "initialize", { ...INITIALIZE, more: "x".repeat(10 * 1024 * 1024) });
    for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
      const reply = await send(server, { body, headers });
      expect(reply.status).toBe(413);
      expect(reply.body).toContain("more than 1048576 bytes");
    }
    const client = await connect(server);
    const fits = await client.callTool({
      name: "WriteMemoryTopic",
      arguments: { ...TOPIC, body: "x".repeat(250_000) },
    });
    expect(fits.isError).toBeUndefined();
  });

  it("that never comes to its end keeps no place for long", async () => {
    const { port } = await serve();
    const socket = connectSocket(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `);
    const [chunk] = await once(socket, "data", { signal: AbortSignal.timeout(8_000) });
    expect(String(chunk)).toContain("408");
  });

  it("that is cut off in the middle of a write does the write to its end", async () => {
    const server = await serve();
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
    const { stdout } = await server.place.run(["memory", "read", "memory://index"]);
    for (const name of names) expect(stdout).toContain(`[${name}](${name}.md)`);
  });
});
