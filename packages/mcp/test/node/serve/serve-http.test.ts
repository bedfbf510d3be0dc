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
