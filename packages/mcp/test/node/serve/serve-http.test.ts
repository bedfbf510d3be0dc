import { createMapTopicStore } from "@caliban/memory";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
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

it("reports a port that is in use", async () => {
  const { url } = await serve();
  await expect(serve(Number(new URL(url).port))).rejects.toMatchObject({
    code: "PORT_UNAVAILABLE",
    message: expect.stringContaining("already in use") as string,
  });
});
