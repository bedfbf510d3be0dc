import { request } from "node:http";
import { createMemoryServer } from "../../../packages/mcp/src/index.ts";
import { serveHttp } from "../../../packages/mcp/src/node/index.ts";
import { createMapTopicStore } from "../../../packages/memory/src/index.ts";
import { type HttpAttempt, refusedRequests, rpc } from "../../../test/attack/http-requests.ts";
import { INVALID_MESSAGES } from "../../../test/attack/mcp-messages.ts";
import { REFUSED_ADDRESSES } from "../../../test/attack/memory-addresses.ts";
import { type Attempt, requireOrdinary, SECRET, type Surface } from "../surface.ts";

const TOKEN = "correct-horse-battery-staple-correct-horse";

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "attack", version: "1.0.0" },
};

/** Requests to `mcp --http` from web pages, from programs without the token, and malformed ones. */
export const mcpRequests: Surface = {
  name: "MCP over HTTP: Host, Origin, token, malformed",
  attack: async () => {
    const store = createMapTopicStore();
    await store.write({
      name: "known",
      description: SECRET,
      type: "project",
      body: SECRET,
      author: { who: "agent" },
    });
    const serving = await serveHttp({
      createServer: (requests) => createMemoryServer({ store, requests }),
      port: 0,
      token: TOKEN,
    });
    try {
      return await attackPort(Number(new URL(serving.url).port));
    } finally {
      await serving.close();
    }
  },
};

async function attackPort(port: number): Promise<readonly Attempt[]> {
  const opened = await send(port, { body: rpc(1, "initialize", INITIALIZE) });
  requireOrdinary(opened.status === 200, "a correct request is refused");
  const headers = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
  const known = await send(port, {
    headers,
    body: rpc(2, "resources/read", { uri: "memory://topics/known" }),
  });
  requireOrdinary(known.body.includes(SECRET), "a topic cannot be read");
  const attempts: Attempt[] = [];
  for (const [input, status] of refusedRequests({ port, token: TOKEN })) {
    const reply = await send(port, input);
    const succeeded = reply.status !== status || reply.body.includes(TOKEN);
    attempts.push({ name: JSON.stringify(input), succeeded });
  }
  for (const [body] of INVALID_MESSAGES) {
    const reply = await send(port, { headers, body });
    attempts.push({ name: String(body), succeeded: !isError(reply.body) });
  }
  for (const uri of REFUSED_ADDRESSES) {
    const reply = await send(port, { headers, body: rpc(3, "resources/read", { uri }) });
    attempts.push({ name: uri, succeeded: !isError(reply.body) });
  }
  return attempts;
}

function isError(body: string): boolean {
  return /"error":/.test(body) && !body.includes(SECRET);
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** With node:http, because fetch does not allow a Host header. */
async function send(port: number, input: HttpAttempt): Promise<Reply> {
  const { method = "POST", path = "/mcp", body = "", headers = {} } = input;
  const all = {
    authorization: `Bearer ${TOKEN}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
  };
  const given = Object.entries(all).filter((pair) => pair[1] !== undefined);
  return await new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, method, path, headers: Object.fromEntries(given) },
      (response) => {
        let text = "";
        response.on("data", (chunk) => void (text += String(chunk)));
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
