import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { findLocalServers } from "../../src/node/local-servers.ts";

/** Starts a server on loopback and returns its base URL. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const MODELS = JSON.stringify({
  data: ["a", "b:7b", "c\u001B[2J", "d", "e"].map((id) => ({ id })),
});

it("finds a server that lists models, without control characters in their names", async () => {
  const paths: (string | undefined)[] = [];
  const baseUrl = await serve(({ url, headers }, response) => {
    paths.push(url, headers.authorization);
    response.end(MODELS);
  });
  expect(await findLocalServers([{ provider: "ollama", baseUrl }])).toEqual([
    { provider: "ollama", baseUrl, models: ["a", "b:7b", "d"] },
  ]);
  expect(paths).toEqual(["/v1/models", undefined]);
});

it.for<readonly [string, RequestListener]>([
  ["another kind of page", (_, response) => void response.end("<html>")],
  ["another kind of JSON", (_, response) => void response.end('{"models":[]}')],
  ["an error", (_, response) => void response.writeHead(500).end(MODELS)],
  ["a redirect", (_, response) => void response.writeHead(302, { location: "/other" }).end()],
  ["more than it needs", (_, response) => void response.end(`${" ".repeat(300_000)}${MODELS}`)],
  ["nothing at all", () => undefined],
])("ignores a server that answers with %s", async ([, answer]) => {
  const baseUrl = await serve(answer);
  expect(await findLocalServers([{ provider: "ollama", baseUrl }])).toEqual([]);
});

it("finds nothing where nothing listens", async () => {
  const baseUrl = "http://127.0.0.1:1/v1";
  expect(await findLocalServers([{ provider: "ollama", baseUrl }])).toEqual([]);
});
