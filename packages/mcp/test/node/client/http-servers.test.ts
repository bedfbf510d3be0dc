import type { Tool } from "@caliban/agent-core";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ServerPool } from "../../../src/node/client/server-pool.ts";
import type { ClientLimits } from "../../../src/client/client-limits.ts";
import { createLoginStore } from "../../../src/node/login/login-store.ts";
import { names, type PoolFixture, poolFixture, run, until } from "./pool-fixture.ts";

const TOKEN = "correct-horse-battery-staple";

interface ReceivedRequest {
  readonly method: string;
  readonly body: string;
  readonly token: string | undefined;
}

interface HttpFixture {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
}

type Answer = (request: IncomingMessage, response: ServerResponse, message: Message) => boolean;

interface Message {
  readonly id?: number;
  readonly method?: string;
}

/** A server on this machine that behaves, except where `answer` returns true. */
async function httpServer(answer: Answer = () => false): Promise<HttpFixture> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      received.push({ method: request.method ?? "", body, token: request.headers.authorization });
      const message = (body === "" ? {} : JSON.parse(body)) as Message;
      if (!answer(request, response, message)) behave(response, message);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, received };
}

function behave(response: ServerResponse, { id, method }: Message): void {
  if (method === undefined) return void response.writeHead(405).end();
  if (id === undefined) return void response.writeHead(202).end();
  const result = RESULTS[method] ?? { content: [{ type: "text", text: `called, ${TOKEN}` }] };
  json(response, { jsonrpc: "2.0", id, result });
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "fake", version: "1" },
  },
  "tools/list": { tools: [{ name: "go", inputSchema: { type: "object" } }] },
};

function json(response: ServerResponse, value: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

interface Opened {
  readonly pool: ServerPool;
  readonly tools: readonly Tool[];
}

/** Connects to a server, and offers what it has. */
async function opened(
  fixture: PoolFixture,
  { url }: Pick<HttpFixture, "url">,
  limits: Partial<ClientLimits> = {},
): Promise<Opened> {
  const transport = { kind: "http", url, headers: { Authorization: `Bearer ${TOKEN}` } } as const;
  const input = { servers: [fixture.server("http", { transport })], hasTiers: true };
  const pool = fixture.pool(limits);
  await pool.offer(input);
  await pool.start();
  return { pool, tools: (await pool.offer(input)).tools };
}

describe("a server that is reached over HTTP", () => {
  it("sends the token with every request, and masks it in results", async () => {
    const fixture = await poolFixture();
    const server = await httpServer();
    const { tools } = await opened(fixture, server);
    expect(names(tools)).toEqual(["mcp__x__go"]);
    expect((await run(tools, "mcp__x__go")).text).toContain("called, [masked]");
    expect(server.received.every(({ token }) => token === `Bearer ${TOKEN}`)).toBe(true);
  });

  it("masks the token in the error of a call", async () => {
    const fixture = await poolFixture();
    const server = await httpServer((_, response, { id, method }) => {
      if (method !== "tools/call") return false;
      const result = { content: [{ type: "text", text: `bad ${TOKEN}` }], isError: true };
      json(response, { jsonrpc: "2.0", id, result });
      return true;
    });
    const { tools } = await opened(fixture, server);
    const result = await run(tools, "mcp__x__go");
    expect(result).toMatchObject({ isError: true, data: { sentence: "bad [masked]" } });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  });

  it("follows no redirect to another server, so that the token is not sent there", async () => {
    const fixture = await poolFixture();
    const thief = await httpServer();
    const server = await httpServer((_, response) => {
      response.writeHead(307, { location: thief.url }).end();
      return true;
    });
    const { pool } = await opened(fixture, server);
    expect(thief.received).toEqual([]);
    expect(pool.statuses()[0]?.label).toMatch(
      /^unavailable: answered with HTTP 307: Redirect to http:\/\/127.0.0.1:\d+\/mcp not followed/,
    );
  });

  it.each([
    ["more", 500, /cannot be reached|invalid answer to initialize/],
    ["less", 10, /invalid answer to initialize/],
  ])("reports a server that announces %s bytes than it sends", async (_, length, expected) => {
    const fixture = await poolFixture();
    const server = await httpServer((request, response, { id }) => {
      const text = JSON.stringify({ jsonrpc: "2.0", id, result: RESULTS["initialize"] });
      request.socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`,
      );
      response.destroy();
      return true;
    });
    const { pool } = await opened(fixture, server);
    expect(pool.statuses()[0]?.label).toMatch(expected);
  });

  it.each([
    ["JSON", "application/json", ""],
    ["an event", "text/event-stream", "data: "],
  ])("cuts off an endless answer of %s", async (_, type, head) => {
    const fixture = await poolFixture();
    const server = await httpServer((_request, response, { method }) => {
      if (method !== "tools/call") return false;
      response.writeHead(200, { "content-type": type }).write(head);
      const write = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", write);
      };
      write();
      return true;
    });
    const { tools } = await opened(fixture, server, { messageBytes: 1024 * 1024 });
    const { text, isError } = await run(tools, "mcp__x__go");
    expect({ text, isError }).toEqual({
      text: "The MCP server x failed: sent a message of more than 1,048,576 bytes. Continue without it. See /servers.",
      isError: true,
    });
  });

  it("cuts off a server that streams too many messages", async () => {
    const fixture = await poolFixture();
    const notification = {
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: "x" },
    };
    const event = `data: ${JSON.stringify(notification)}\n\n`;
    const server = await httpServer((request, response) => {
      if (request.method !== "GET") return false;
      response.writeHead(200, { "content-type": "text/event-stream" }).write(event.repeat(2_000));
      return true;
    });
    const { pool } = await opened(fixture, server, { unsolicitedMessages: 500 });
    await until(() => pool.statuses()[0]?.kind === "absent");
    expect(pool.statuses()[0]?.label).toBe("unavailable: sent too many messages");
  });

  it("stops reopening a stream that the server ends again and again", async () => {
    const fixture = await poolFixture();
    let streams = 0;
    const server = await httpServer((request, response) => {
      if (request.method !== "GET") return false;
      streams += 1;
      response.writeHead(200, { "content-type": "text/event-stream" }).end("retry: 1\n\n");
      return true;
    });
    const { tools } = await opened(fixture, server);
    await until(() => streams >= 10);
    await new Promise((resolve) => void setTimeout(resolve, 100));
    expect(streams).toBe(10);
    expect((await run(tools, "mcp__x__go")).isError).toBeUndefined();
  });

  it.each([
    [
      401,
      "unavailable: answered with HTTP 401: go \\u{7}away; set token_env to the variable that holds its token",
    ],
    [500, "unavailable: answered with HTTP 500: go \\u{7}away"],
  ])("reports an answer of %i in sanitized text", async (status, label) => {
    const fixture = await poolFixture();
    const server = await httpServer((_, response) => {
      response.writeHead(status).end("go \u0007away");
      return true;
    });
    const { pool } = await opened(fixture, server);
    expect(pool.statuses()[0]?.label).toBe(label);
  });

  it("reports a server that cannot be reached", async () => {
    const { pool } = await opened(await poolFixture(), { url: "http://127.0.0.1:9/mcp" });
    expect(pool.statuses()[0]?.label).toMatch(/^unavailable: cannot be reached: /);
  });

  it("connects again to a server that no longer knows the session", async () => {
    let isForgotten = false;
    const server = await httpServer((_, response, { method }) => {
      if (!isForgotten || method === "initialize") {
        isForgotten = false;
        return false;
      }
      response.writeHead(404).end();
      return true;
    });
    const { tools } = await opened(await poolFixture(), server);
    isForgotten = true;
    expect((await run(tools, "mcp__x__go")).text).toContain("no longer knows the session");
    expect((await run(tools, "mcp__x__go")).text).toContain("called");
  });

  it.for([true, false])(
    "sends the token of a login, unless a repository requests it (%s)",
    async (isRequested) => {
      const fixture = await poolFixture();
      const server = await httpServer();
      const store = createLoginStore({
        stateDirectory: join(fixture.directory, "state"),
        name: "x",
        url: server.url,
      });
      await store.write({ tokens: { access_token: TOKEN, token_type: "Bearer" } });
      const transport = { kind: "http", url: server.url, headers: {} } as const;
      const pool = fixture.pool();
      const started = { ...fixture.server("http", { transport }), isRequested };
      await pool.offer({ servers: [started], hasTiers: true });
      await pool.start();
      const tokens = new Set(server.received.map(({ token }) => token));
      expect(tokens).toEqual(new Set([isRequested ? undefined : `Bearer ${TOKEN}`]));
    },
  );
});
