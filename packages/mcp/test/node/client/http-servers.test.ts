import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ServerPool } from "../../../src/node/client/server-pool.ts";
import type { ClientLimits } from "../../../src/client/limits.ts";
import { names, run, serverPlace, type ServerPlace, until } from "./server-place.ts";

const TOKEN = "correct-horse-battery-staple";

interface Got {
  readonly method: string;
  readonly body: string;
  readonly token: string | undefined;
}

interface Place {
  readonly url: string;
  readonly got: readonly Got[];
}

type Answer = (request: IncomingMessage, response: ServerResponse, message: Message) => boolean;

interface Message {
  readonly id?: number;
  readonly method?: string;
}

/** A server on loopback that answers as one should, but where the test says otherwise. */
async function httpServer(answer: Answer = () => false): Promise<Place> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      got.push({ method: request.method ?? "", body, token: request.headers.authorization });
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
  return { url: `http://127.0.0.1:${port}/mcp`, got };
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

async function opened(
  place: ServerPlace,
  { url }: Pick<Place, "url">,
  limits: Partial<ClientLimits> = {},
): Promise<ServerPool> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const session = place.session(limits);
  await session.take({
    servers: [place.usable("http", { transport: { kind: "http", url, headers } })],
    hasTiers: true,
  });
  await session.start();
  return session;
}

const again = async (place: ServerPlace, { url }: Pick<Place, "url">, session: ServerPool) => {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const servers = [place.usable("http", { transport: { kind: "http", url, headers } })];
  return (await session.take({ servers, hasTiers: true })).tools;
};

describe("a server behind an address", () => {
  it("is reached with its token, which comes back in no result", async () => {
    const place = await serverPlace();
    const server = await httpServer();
    const session = await opened(place, server);
    const tools = await again(place, server, session);
    expect(names(tools)).toEqual(["mcp__x__go"]);
    const { text } = await run(tools, "mcp__x__go");
    expect(text).toContain("called, [masked]");
    expect(server.got.every(({ token }) => token === `Bearer ${TOKEN}`)).toBe(true);
  });

  it("shows its token to nobody, also where it says that something went wrong", async () => {
    const place = await serverPlace();
    const server = await httpServer((_, response, { id, method }) => {
      if (method !== "tools/call") return false;
      const result = { content: [{ type: "text", text: `bad ${TOKEN}` }], isError: true };
      json(response, { jsonrpc: "2.0", id, result });
      return true;
    });
    const tools = await again(place, server, await opened(place, server));
    const result = await run(tools, "mcp__x__go");
    expect(result).toMatchObject({ isError: true, data: { sentence: "bad [masked]" } });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  });

  it("that sends us elsewhere is not followed, and the token stays here", async () => {
    const place = await serverPlace();
    const thief = await httpServer();
    const server = await httpServer((_, response) => {
      response.writeHead(307, { location: thief.url }).end();
      return true;
    });
    const session = await opened(place, server);
    expect(thief.got).toEqual([]);
    expect(session.states()[0]?.label).toMatch(
      /^absent: skipped: it answered 307, Redirect to http:\/\/127.0.0.1:\d+\/mcp not followed/,
    );
  });

  it.each([
    ["more than it sends", 500, /it cannot be reached|its answer to initialize/],
    ["less than it sends", 10, /its answer to initialize is not what the protocol has/],
  ])("that names a length of %s is told for what it is", async (_, length, words) => {
    const place = await serverPlace();
    const server = await httpServer((request, response, { id }) => {
      const text = JSON.stringify({ jsonrpc: "2.0", id, result: RESULTS["initialize"] });
      request.socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`,
      );
      response.destroy();
      return true;
    });
    const session = await opened(place, server, { startMs: 1_500 });
    expect(session.states()[0]?.label).toMatch(words);
  });

  it.each([
    ["JSON", "application/json", ""],
    ["an event", "text/event-stream", "data: "],
  ])("that never ends its answer of %s is cut off", async (_, type, head) => {
    const place = await serverPlace();
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
    const session = await opened(place, server, { messageBytes: 1024 * 1024 });
    const tools = await again(place, server, session);
    const { text, isError } = await run(tools, "mcp__x__go");
    expect({ text, isError }).toEqual({
      text: "The MCP server x did not do it: it sent a message of more than 1,048,576 bytes. Go on without it; the person can see what is wrong with /mcp.",
      isError: true,
    });
  });

  it("that streams more than anybody can read is cut off", async () => {
    const place = await serverPlace();
    const event = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } })}\n\n`;
    const server = await httpServer((request, response) => {
      if (request.method !== "GET") return false;
      response.writeHead(200, { "content-type": "text/event-stream" }).write(event.repeat(2_000));
      return true;
    });
    const session = await opened(place, server, { unsolicitedMessages: 500 });
    await until(() => session.states()[0]?.kind === "absent");
    expect(session.states()[0]?.label).toBe(
      "absent: skipped: it sent more messages than anybody can read",
    );
  });

  it("that ends its stream again and again is not asked for ever", async () => {
    const place = await serverPlace();
    let streams = 0;
    const server = await httpServer((request, response) => {
      if (request.method !== "GET") return false;
      streams += 1;
      response.writeHead(200, { "content-type": "text/event-stream" }).end("retry: 1\n\n");
      return true;
    });
    const session = await opened(place, server);
    await until(() => streams >= 10);
    await new Promise((resolve) => void setTimeout(resolve, 100));
    expect(streams).toBe(10);
    expect((await run(await again(place, server, session), "mcp__x__go")).isError).toBeUndefined();
  });

  it.each([
    [
      401,
      /^absent: skipped: it answered 401, go \\u\{7\}away \(token_env names the variable with its token\)$/,
    ],
    [500, /^absent: skipped: it answered 500, go \\u\{7\}away$/],
  ])(
    "that answers %i is absent, in words that are harmless and without the token",
    async (status, words) => {
      const place = await serverPlace();
      const server = await httpServer((_, response) => {
        response.writeHead(status).end("go \u0007away");
        return true;
      });
      const session = await opened(place, server);
      expect(session.states()[0]?.label).toMatch(words);
    },
  );

  it("that nobody is behind is absent, and met again when it is there", async () => {
    const place = await serverPlace();
    const session = await opened(place, { url: "http://127.0.0.1:9/mcp" });
    expect(session.states()[0]?.label).toMatch(/^absent: skipped: it cannot be reached: /);
    let isForgotten = false;
    const server = await httpServer((_, response, { method }) => {
      if (!isForgotten || method === "initialize") {
        isForgotten = false;
        return false;
      }
      response.writeHead(404).end();
      return true;
    });
    const other = await opened(place, server);
    const tools = await again(place, server, other);
    isForgotten = true;
    expect((await run(tools, "mcp__x__go")).text).toContain("it has forgotten the session");
    expect((await run(tools, "mcp__x__go")).text).toContain("called");
  });
});
