import { once } from "node:events";
import { connect } from "node:net";
import { createMapTopicStore } from "@caliban/memory";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";
import { serveHttp, type ServingHttp } from "../../../src/node/serve/serve-http.ts";
import { createMemoryServer } from "../../../src/serve/create-memory-server.ts";

const TOKEN = "correct-horse-battery-staple";

async function serve(port = 0): Promise<ServingHttp> {
  const store = createMapTopicStore();
  const serving = await serveHttp({
    createServer: (requests) => createMemoryServer({ store, requests }),
    port,
    token: TOKEN,
  });
  onTestFinished(() => serving.close());
  return serving;
}

it("serves a topic store over HTTP to clients that have the token", async () => {
  const { url } = await serve();
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${TOKEN}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("WriteMemoryTopic");
  await client.close();
  expect((await fetch(url, { method: "POST" })).status).toBe(401);
});

it("serves a client that has the token while hundreds of connections without it are open", async () => {
  const { url } = await serve();
  const sockets = await Promise.all(
    Array.from({ length: 400 }, async () => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      await once(socket, "connect");
      // A request that never ends.
      socket.write("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n");
      return socket;
    }),
  );
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(url, { method: "POST", headers });
  expect(response.status).toBe(415);
});

it("reports a port that is in use", async () => {
  const { url } = await serve();
  await expect(serve(Number(new URL(url).port))).rejects.toMatchObject({
    code: "PORT_UNAVAILABLE",
    message: expect.stringContaining("already in use") as string,
  });
});

it("keeps a limited number of subscriptions open, and makes room when a client goes away", async () => {
  const { url } = await serve();
  const listen = async (id: number, signal?: AbortSignal): Promise<Response> =>
    await fetch(url, {
      method: "POST",
      ...(signal === undefined ? {} : { signal }),
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "subscriptions/listen",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method: "subscriptions/listen", params: LISTEN }),
    });
  const clients = Array.from({ length: 64 }, () => new AbortController());
  const opened = await Promise.all(clients.map(({ signal }, id) => listen(id, signal)));
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await listen(100);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain("too many subscriptions (limit 64)");
  for (const client of clients) client.abort();
  let status = 503;
  while (status === 503) ({ status } = await listen(101));
  expect(status).toBe(200);
});

const LISTEN = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
  notifications: { resourceSubscriptions: ["memory://index"] },
};
