import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import { expect, it } from "vitest";
import {
  errorOf,
  type HttpRequest,
  MEMORIES,
  type RunningTestServer,
  send,
  startTestServer,
  TOKEN,
} from "./running-server.ts";

const CREATE: HttpRequest = {
  method: "POST",
  path: MEMORIES,
  body: JSON.stringify({ path: "/a.md", content: "text" }),
};

const READ: HttpRequest = { method: "GET", body: undefined };

async function slugs({ store }: RunningTestServer): Promise<readonly string[]> {
  return (await store.list()).topics.map(({ slug }) => slug);
}

it("refuses other hosts, web pages, wrong tokens and bodies that are not JSON, and changes nothing", async () => {
  const server = await startTestServer();
  const cases: readonly (readonly [string, number, HttpRequest])[] = [
    [
      "another host, as after DNS rebinding",
      403,
      { headers: { host: `evil.example:${server.port}` } },
    ],
    ["another port in the host", 403, { headers: { host: "127.0.0.1:1" } }],
    ["a host without a port", 403, { headers: { host: "127.0.0.1" } }],
    ["another origin", 403, { headers: { origin: "http://evil.example" } }],
    ["the origin of this server", 403, { headers: { origin: `http://127.0.0.1:${server.port}` } }],
    ["the null origin", 403, { headers: { origin: "null" } }],
    ["a page of another site", 403, { headers: { "sec-fetch-site": "cross-site" } }],
    ["a page of this machine", 403, { headers: { "sec-fetch-site": "same-site" } }],
    [
      "a preflight",
      403,
      { method: "OPTIONS", body: "", headers: { origin: "http://evil.example" } },
    ],
    ["no token", 401, { headers: { authorization: undefined } }],
    ["a wrong token", 401, { headers: { authorization: "Bearer caliban_wrong" } }],
    ["an empty token", 401, { headers: { authorization: "Bearer " } }],
    ["another scheme", 401, { headers: { authorization: `Basic ${TOKEN}` } }],
    [
      "the token in the query",
      401,
      { path: `${MEMORIES}?token=${TOKEN}`, headers: { authorization: undefined } },
    ],
    ["a cookie", 401, { headers: { authorization: undefined, cookie: `token=${TOKEN}` } }],
    ["a form", 415, { headers: { "content-type": "application/x-www-form-urlencoded" } }],
    ["plain text", 415, { headers: { "content-type": "text/plain" } }],
    ["a body that declares 10 MB", 413, { body: "x".repeat(10_000_000) }],
    [
      "10 MB of unknown length",
      413,
      { body: "x".repeat(10_000_000), headers: { "transfer-encoding": "chunked" } },
    ],
    ["no JSON", 400, { body: "{" }],
    ["nothing", 400, { body: "" }],
    ["endless nesting", 400, { body: "[".repeat(1_000_000) }],
    ["a JSON list", 400, { body: "[1, 2]" }],
    ["a path outside", 404, { ...READ, path: "/v1/memory_stores/../../etc/passwd" }],
    ["an encoded path outside", 404, { ...READ, path: `${MEMORIES}/..%2f..%2fetc%2fpasswd` }],
    ["another API", 404, { path: "/v1/messages" }],
    ["an absolute path as an id", 404, { ...READ, path: `${MEMORIES}//etc/passwd` }],
    ["an unknown method", 400, { method: "PATCH" }],
  ];
  for (const [name, status, request] of cases) {
    const answer = await send(server, { ...CREATE, ...request }).catch((error: unknown) => error);
    // A client that is still sending may lose the connection before it reads the refusal.
    if (status === 413 && answer instanceof Error) continue;
    expect({ name, status: (answer as { status?: number }).status }).toEqual({ name, status });
    const { headers, text } = answer as Awaited<ReturnType<typeof send>>;
    expect(Object.keys(headers).join()).not.toContain("access-control");
    expect(text).not.toContain(TOKEN);
    expect(errorOf({ status, headers, text })).toBeDefined();
  }
  expect(await slugs(server)).toEqual([]);
  expect(server.reported).toEqual([]);
  for (const headers of [
    {},
    { authorization: undefined, "x-api-key": TOKEN },
    { host: `localhost:${server.port}` },
  ])
    expect((await send(server, { headers })).status).toBe(200);
});

it("ends requests that are sent too slowly, and keeps answering others", async () => {
  const server = await startTestServer({ requestTimeoutMs: 300 });
  const slow = [
    `POST ${MEMORIES} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`,
    `${headOf(server)}Content-Length: 100\r\n\r\n{"path":`,
  ].map((text) => openSocket(server, text));
  expect((await send(server)).status).toBe(200);
  await Promise.all(slow.map((socket) => once(socket, "close")));
  expect(await slugs(server)).toEqual([]);
  expect(server.reported).toEqual([]);
});

it("changes nothing if a client disconnects within a body, and everything if it does after it", async () => {
  const written = Promise.withResolvers<void>();
  const store = createMapTopicStore();
  const slowly: TopicStore = {
    ...store,
    edit: async (request) => {
      whole.destroy();
      await once(whole, "close");
      const result = await store.edit(request);
      written.resolve();
      return result;
    },
  };
  const server = await startTestServer({ served: { store: slowly } });
  const body = JSON.stringify({ path: "/whole.md", content: "text" });
  const part = openSocket(
    server,
    `${headOf(server)}Content-Length: 100\r\n\r\n{"path":"/part.md",`,
  );
  await once(part, "connect");
  part.destroy();
  const whole = openSocket(
    server,
    `${headOf(server)}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  await written.promise;
  expect((await send(server)).status).toBe(200);
  expect(await slugs(server)).toEqual(["whole"]);
  expect(server.reported).toEqual([]);
});

it("answers a client while 1,000 other connections are open", async () => {
  const server = await startTestServer();
  const others = Array.from({ length: 1_000 }, () =>
    openSocket(server, `POST ${MEMORIES} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`),
  );
  await Promise.all(
    others.map((socket) => Promise.race([once(socket, "connect"), once(socket, "close")])),
  );
  expect((await send(server, CREATE)).status).toBe(200);
  for (const socket of others) socket.destroy();
  expect(await slugs(server)).toEqual(["a"]);
});

it.for([
  ["a minute", { requestsPerSecond: 50, changesPerMinute: 2, changesPerHour: 9 }],
  ["an hour", { requestsPerSecond: 50, changesPerMinute: 9, changesPerHour: 2 }],
] as const)("limits the changes of a client in %s, and says so", async ([time, limits]) => {
  const server = await startTestServer({ limits });
  const answers = [];
  for (let index = 0; index < 3; index++) answers.push(await send(server, CREATE));
  expect(answers.map(({ status }) => status)).toEqual([200, 409, 429]);
  expect(answers[2]?.text).toContain(`more than 2 changes ${time}`);
  expect((await send(server)).status).toBe(200);
});

it("limits requests and changes of a client, and how often a token can be guessed", async () => {
  const limits = { requestsPerSecond: 5, changesPerMinute: 3, changesPerHour: 4 };
  const server = await startTestServer({ limits });
  const statuses: number[] = [];
  for (let index = 0; index < 4; index++) {
    const body = JSON.stringify({ path: `/${index}.md`, content: "text" });
    statuses.push((await send(server, { ...CREATE, body })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  const reads = await Promise.all(Array.from({ length: 60 }, () => send(server)));
  expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200, 429]));
  const refused = reads.find(({ status }) => status === 429);
  expect(refused?.headers["retry-after"]).toBe("1");
  const guesses = new Set<number>();
  for (let round = 0; round < 100 && !guesses.has(429); round++) {
    const headers = { authorization: "Bearer caliban_wrong" };
    const all = await Promise.all(Array.from({ length: 20 }, () => send(server, { headers })));
    for (const { status } of all) guesses.add(status);
  }
  expect(guesses).toEqual(new Set([401, 429]));
});

it("tells clients not to repeat a conflict, which would stay one", async () => {
  const server = await startTestServer();
  await send(server, CREATE);
  const answer = await send(server, CREATE);
  expect([answer.status, answer.headers["x-should-retry"]]).toEqual([409, "false"]);
  expect(errorOf(answer)).toBe("memory_path_conflict_error");
});

it("answers a bug with 500, reports it without what was sent, and goes on", async () => {
  const store = createMapTopicStore();
  const broken: TopicStore = {
    ...store,
    edit: () => Promise.reject(new TypeError("x is undefined")),
  };
  const server = await startTestServer({ served: { store: broken } });
  const answer = await send(server, CREATE);
  expect([answer.status, errorOf(answer)]).toEqual([500, "api_error"]);
  expect(answer.text).not.toContain("undefined");
  expect(server.reported).toEqual(["request failed: x is undefined"]);
  expect((await send(server)).status).toBe(200);
});

it("finishes the requests that run before it stops", async () => {
  const store = createMapTopicStore();
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const slow: TopicStore = {
    ...store,
    edit: async (request) => {
      started.resolve();
      await finish.promise;
      return await store.edit(request);
    },
  };
  const server = await startTestServer({ served: { store: slow } });
  const answered = send(server, CREATE);
  await started.promise;
  const closed = server.close();
  finish.resolve();
  expect((await answered).status).toBe(200);
  await closed;
  await expect(send(server)).rejects.toThrow("ECONNREFUSED");
});

function headOf({ port }: RunningTestServer): string {
  return `POST ${MEMORIES} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
}

function openSocket({ port }: RunningTestServer, text: string): Socket {
  const socket = connect(port, "127.0.0.1");
  // The server ends it.
  socket.on("error", () => undefined);
  socket.write(text);
  socket.resume();
  return socket;
}
