import { getEventListeners, once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from "node:net";
import type { Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import {
  brotliCompressSync,
  createBrotliCompress,
  createGzip,
  deflateSync,
  gzipSync,
} from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLeanFetch, type LeanFetchInput } from "../../../src/node/http/lean-fetch.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "./test-certificate.ts";

const leanFetch = (input: Partial<LeanFetchInput> = {}): typeof fetch =>
  createLeanFetch({ env: {}, ...input });

async function listen(server: Server, scheme = "http"): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
  });
  return await listen(server);
}

const post = (body: string, signal?: AbortSignal): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", "x-key": "k" },
  body,
  ...(signal !== undefined && { signal }),
});

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

const TEXT = "Grüße, 世界 🌍 – ".repeat(50);

describe("lean fetch", () => {
  it("sends a body with its headers and returns status, headers and body", async () => {
    const seen: unknown[] = [];
    const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
      const { method, headers } = incoming;
      const body = await bodyOf(incoming);
      seen.push([method, incoming.url, body, headers["x-key"], headers["content-length"]]);
      outgoing.writeHead(418, { "X-One": "1", "Set-Cookie": ["a=1", "b=2"] }).end("pot");
    };
    const url = await serve((incoming, outgoing) => void answer(incoming, outgoing));
    const response = await leanFetch()(`${url}/a?b=c`, post('{"ü":1}'));
    expect(seen).toEqual([["POST", "/a?b=c", '{"ü":1}', "k", "8"]]);
    expect(response).toMatchObject({ ok: false, status: 418, statusText: "I'm a Teapot" });
    expect(response.headers.get("X-ONE")).toBe("1");
    expect(Object.fromEntries(response.headers)).toMatchObject({ "x-one": "1" });
    expect(await textOf(response)).toBe("pot");
  });

  it("omits the header of a missing key", async () => {
    const url = await serve((incoming, outgoing) => {
      outgoing.end(JSON.stringify(Object.keys(incoming.headers)));
    });
    const headers = { authorization: "Bearer ", "x-api-key": "", "x-other": "1" };
    const response = await leanFetch()(url, { method: "POST", headers, body: "{}" });
    expect(JSON.parse(await textOf(response))).toEqual([
      "x-other",
      "host",
      "connection",
      "content-length",
    ]);
  });

  it.for([1, 2, 3, 7])("decodes characters that arrive in chunks of %i bytes", async (size) => {
    const bytes = Buffer.from(TEXT.slice(0, 200));
    const url = await serve((_, outgoing) => {
      outgoing.writeHead(200);
      void (async () => {
        for (let start = 0; start < bytes.length; start += size) {
          outgoing.write(bytes.subarray(start, start + size));
          if (start % 50 === 0) await pause(1);
        }
        outgoing.end();
      })();
    });
    expect(await textOf(await leanFetch()(url))).toBe(TEXT.slice(0, 200));
  });

  it("streams the first bytes before the last ones are sent", async () => {
    let finish = (): void => undefined;
    const url = await serve((_, outgoing) => {
      outgoing.write("first");
      finish = () => void outgoing.end("last");
    });
    const response = await leanFetch()(url);
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("last");
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
  });

  it("transfers a megabyte in both directions, even to a slow reader", async () => {
    const url = await serve((incoming, outgoing) => void incoming.pipe(outgoing));
    const body = TEXT.repeat(1200);
    const response = await leanFetch()(url, post(body));
    const decoder = new TextDecoder();
    let back = "";
    for await (const chunk of response.body ?? []) {
      back += decoder.decode(chunk, { stream: true });
      await pause(0);
    }
    expect(Buffer.byteLength(body)).toBeGreaterThan(1_000_000);
    expect(back === body).toBe(true);
  });

  it("stops reading ahead when nothing consumes the body", async () => {
    let written = 0;
    const url = await serve((_, outgoing) => {
      const more = (): void => {
        while (!outgoing.destroyed && outgoing.write(Buffer.alloc(64 * 1024))) written += 64 * 1024;
        written += 64 * 1024;
        outgoing.once("drain", more);
      };
      more();
    });
    const response = await leanFetch()(url);
    let before = -1;
    for (let look = 0; look < 50 && before !== written; look++) {
      before = written;
      await pause(60);
    }
    // Without a limit it would have grown with every look.
    expect(written).toBe(before);
    await response.body?.cancel();
  });

  it("reuses the connection for the next request, whatever the status was", async () => {
    const sockets = new Set<unknown>();
    let count = 0;
    const url = await serve((incoming, outgoing) => {
      sockets.add(incoming.socket);
      count += 1;
      outgoing.writeHead(count === 2 ? 500 : 200).end("x");
    });
    const send = leanFetch();
    for (let turn = 0; turn < 4; turn++) await textOf(await send(url, post("{}")));
    expect(count).toBe(4);
    expect(sockets.size).toBe(1);
  });

  it("opens a new connection when the kept one was closed meanwhile", async () => {
    let count = 0;
    const server = createTcpServer((socket) => {
      let requests = 0;
      socket.on("error", () => undefined);
      socket.on("data", () => {
        requests += 1;
        count += 1;
        // The second request on a connection meets a server that is just going away.
        if (requests === 2) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      });
    });
    const url = await listen(server);
    const send = leanFetch();
    expect(await textOf(await send(url, post("{}")))).toBe("ok");
    await pause(5);
    expect(await textOf(await send(url, post("{}")))).toBe("ok");
    expect(count).toBe(3);
  });

  it("never retries over a new connection", async () => {
    let count = 0;
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", () => {
        count += 1;
        socket.resetAndDestroy();
      });
    });
    const url = await listen(server);
    await expect(leanFetch()(url, post("{}"))).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(count).toBe(1);
  });
});

describe("lean fetch and truncated responses", () => {
  const cases: readonly (readonly [string, (outgoing: ServerResponse) => void])[] = [
    [
      "in chunks",
      (outgoing) => {
        outgoing.write("some");
        setTimeout(() => outgoing.destroy(), 10);
      },
    ],
    [
      "with a length",
      (outgoing) => {
        outgoing.writeHead(200, { "content-length": "100" });
        outgoing.write("some");
        setTimeout(() => outgoing.destroy(), 10);
      },
    ],
    [
      "compressed",
      (outgoing) => {
        outgoing.writeHead(200, { "content-encoding": "gzip" });
        outgoing.write(gzipSync(TEXT).subarray(0, 40));
        setTimeout(() => outgoing.destroy(), 10);
      },
    ],
    [
      "compressed, as if it were whole",
      (outgoing) => {
        outgoing.writeHead(200, { "content-encoding": "gzip" });
        outgoing.end(gzipSync(TEXT).subarray(0, 40));
      },
    ],
    [
      "with bytes that are no compression",
      (outgoing) => {
        outgoing.writeHead(200, { "content-encoding": "br" }).end("hello");
      },
    ],
  ];
  it.for(cases)("fails when the response is truncated: %s", async ([, answer]) => {
    const url = await serve((_, outgoing) => {
      answer(outgoing);
    });
    const response = await leanFetch()(url);
    await expect(textOf(response)).rejects.toThrow(Error);
  });

  it("fails when the server resets the connection", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n");
        setTimeout(() => socket.resetAndDestroy(), 10);
      });
    });
    const response = await leanFetch()(await listen(server));
    await expect(textOf(response)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("fails for a response that is not HTTP", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => void socket.end("SSH-2.0-OpenSSH\r\n"));
    });
    await expect(leanFetch()(await listen(server))).rejects.toMatchObject({
      code: expect.stringMatching(/^HPE_/),
    });
  });
});

describe("lean fetch and compression", () => {
  it.for([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ] as const)("decodes a response with the encoding %s", async ([encoding, compress]) => {
    const url = await serve((_, outgoing) => {
      outgoing.writeHead(200, { "content-encoding": encoding }).end(compress(TEXT));
    });
    expect(await textOf(await leanFetch()(url))).toBe(TEXT);
  });

  it("streams compressed events as they are sent", async () => {
    const url = await serve((_, outgoing) => {
      outgoing.writeHead(200, { "content-encoding": "gzip" });
      const gzip = createGzip();
      gzip.pipe(outgoing);
      gzip.write("first");
      gzip.flush();
    });
    const reader = (await leanFetch()(url)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
    await reader?.cancel();
  });

  it("rejects an unknown content encoding", async () => {
    const url = await serve((_, outgoing) => {
      outgoing.writeHead(200, { "content-encoding": "zstd" }).end("x");
    });
    await expect(leanFetch()(url)).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });
});

describe("lean fetch and endless responses", () => {
  const piece = Buffer.alloc(64 * 1024, "x");
  const sendForever = (outgoing: Writable): void => {
    const send = (): void => {
      while (!outgoing.destroyed && outgoing.write(piece));
    };
    outgoing.on("drain", send);
    send();
  };

  it.for([
    [200, "identity", 48],
    [200, "gzip", 48],
    [200, "br", 48],
    [500, "identity", 1],
    [429, "gzip", 1],
  ] as const)(
    "disconnects from an endless response with status %i and encoding %s after %i MiB",
    async ([status, encoding, limit]) => {
      const gone = Promise.withResolvers<number>();
      const url = await serve((incoming, outgoing) => {
        incoming.socket.once("close", () => {
          gone.resolve(incoming.socket.bytesWritten);
        });
        outgoing.writeHead(status, { "content-encoding": encoding });
        if (encoding === "identity") {
          sendForever(outgoing);
          return;
        }
        const coder = encoding === "gzip" ? createGzip() : createBrotliCompress();
        coder.pipe(outgoing).once("close", () => void coder.destroy());
        sendForever(coder);
      });
      const response = await leanFetch()(url);
      let bytes = 0;
      const read = async (): Promise<void> => {
        for await (const chunk of response.body ?? []) bytes += chunk.byteLength;
      };
      await expect(read()).rejects.toMatchObject({
        code: "TOO_LONG",
        message: `the response is longer than ${limit} MiB and was aborted`,
        limitBytes: limit * 1024 * 1024,
      });
      expect(bytes).toBeLessThanOrEqual(limit * 1024 * 1024);
      expect(bytes).toBeGreaterThan((limit - 1) * 1024 * 1024);
      // The operating system buffers some more.
      expect(await gone.promise).toBeLessThan((limit + 16) * 1024 * 1024);
    },
  );

  it("accepts a response of exactly the maximum length", async () => {
    const url = await serve((_, outgoing) => {
      outgoing.writeHead(404).end(Buffer.alloc(1024 * 1024, "x"));
    });
    expect(await textOf(await leanFetch()(url))).toHaveLength(1024 * 1024);
  });
});

describe("lean fetch and abort signals", () => {
  it("sends nothing when aborted before the start", async () => {
    let count = 0;
    const url = await serve((_, outgoing) => {
      count += 1;
      outgoing.end();
    });
    const stop = AbortSignal.abort();
    await expect(leanFetch()(url, post("{}", stop))).rejects.toMatchObject({ name: "AbortError" });
    await pause(20);
    expect(count).toBe(0);
  });

  it("closes the connection when aborted while the server is silent", async () => {
    const gone = Promise.withResolvers<void>();
    const url = await serve((incoming) => {
      incoming.socket.once("close", () => {
        gone.resolve();
      });
    });
    const stop = new AbortController();
    const answer = leanFetch()(url, post("{}", stop.signal));
    setTimeout(() => {
      stop.abort();
    }, 20);
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    await gone.promise;
  });

  it("fails with the abort reason and closes the connection when aborted within the body", async () => {
    const gone = Promise.withResolvers<void>();
    const url = await serve((incoming, outgoing) => {
      incoming.socket.once("close", () => {
        gone.resolve();
      });
      outgoing.write("some");
    });
    const stop = new AbortController();
    const response = await leanFetch()(url, post("{}", stop.signal));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(4);
    stop.abort(new Error("because"));
    await expect(reader?.read()).rejects.toThrow("because");
    await gone.promise;
  });

  it("ignores an abort after the end, and leaves no listener behind", async () => {
    const url = await serve((_, outgoing) => void outgoing.end("x"));
    const stop = new AbortController();
    const send = leanFetch();
    for (let turn = 0; turn < 20; turn++) await textOf(await send(url, post("{}", stop.signal)));
    await pause(5);
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
    stop.abort();
    expect(await textOf(await send(url, post("{}")))).toBe("x");
  });

  it("closes the connection when the reader cancels", async () => {
    const gone = Promise.withResolvers<void>();
    const url = await serve((incoming, outgoing) => {
      incoming.socket.once("close", () => {
        gone.resolve();
      });
      outgoing.write("some");
    });
    const response = await leanFetch()(url);
    await response.body?.cancel();
    await expect(gone.promise).resolves.toBeUndefined();
  });
});

describe("lean fetch refusals and time limits", () => {
  it.for([301, 302, 303, 307, 308])("refuses a redirect with status %i", async (status) => {
    let count = 0;
    const url = await serve((incoming, outgoing) => {
      count += 1;
      outgoing.writeHead(status, { location: `http://${incoming.headers.host}/other` }).end();
    });
    await expect(leanFetch()(url, post("{}"))).rejects.toMatchObject({
      code: "REDIRECTED",
      message: expect.stringContaining("Set base_url"),
    });
    expect(count).toBe(1);
  });

  it("refuses to send forms", async () => {
    const body = new FormData();
    await expect(leanFetch()("http://127.0.0.1:1", { method: "POST", body })).rejects.toMatchObject(
      { code: "UNSUPPORTED" },
    );
  });

  it("names the server that refuses the connection", async () => {
    const server = createTcpServer();
    const url = await listen(server);
    server.close();
    await once(server, "close");
    await expect(leanFetch()(url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("times out when a server sends nothing, before or within the body", async () => {
    const url = await serve((incoming, outgoing) => {
      if (incoming.url === "/body") outgoing.write("some");
    });
    const send = leanFetch({ idleTimeoutMs: 60 });
    await expect(send(url)).rejects.toMatchObject({ code: "ETIMEDOUT" });
    await expect(send(`${url}/body`).then(textOf)).rejects.toMatchObject({ code: "ETIMEDOUT" });
  });

  it("applies the connection timeout only until the connection is established", async () => {
    const url = await serve((_, outgoing) => {
      setTimeout(() => void outgoing.end("late"), 400);
    });
    expect(await textOf(await leanFetch({ connectTimeoutMs: 200 })(url))).toBe("late");
  });

  it("times out when a connection is never established", async () => {
    // A TLS handshake without an answer is a connection that is never established.
    const url = (await listen(createTcpServer())).replace("http:", "https:");
    await expect(leanFetch({ connectTimeoutMs: 60 })(url)).rejects.toMatchObject({
      code: "ETIMEDOUT",
      message: expect.stringContaining("no connection to 127.0.0.1"),
    });
  });
});

describe("lean fetch over TLS", () => {
  const secure = async (): Promise<{ url: string; sockets: Set<unknown> }> => {
    const sockets = new Set<unknown>();
    const server = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (incoming, out) => {
      sockets.add(incoming.socket);
      out.end("secret");
    });
    onTestFinished(() => {
      server.closeAllConnections();
    });
    return { url: (await listen(server, "https")).replace("127.0.0.1", "localhost"), sockets };
  };

  it("talks to a trusted server over one connection", async () => {
    const { url, sockets } = await secure();
    const send = leanFetch({ ca: TEST_CERTIFICATE });
    expect(await textOf(await send(url, post("{}")))).toBe("secret");
    expect(await textOf(await send(url, post("{}")))).toBe("secret");
    expect(sockets.size).toBe(1);
  });

  it("refuses a server with an untrusted certificate or a different name", async () => {
    const { url } = await secure();
    await expect(leanFetch()(url)).rejects.toMatchObject({
      code: expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY/),
    });
    const other = url.replace("localhost", "127.0.0.1");
    await expect(leanFetch({ ca: TEST_CERTIFICATE })(other)).rejects.toMatchObject({
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
  });
});

describe("lean fetch and proxies", () => {
  it("uses the proxy of the environment, except for this machine", async () => {
    const seen: string[] = [];
    const proxy = await serve((incoming, outgoing) => {
      seen.push(incoming.url ?? "");
      outgoing.end("from the proxy");
    });
    const direct = await serve((_, outgoing) => void outgoing.end("direct"));
    const send = leanFetch({ env: { HTTP_PROXY: proxy, NO_PROXY: "excluded.test" } });
    expect(await textOf(await send("http://models.test/v1", post("{}")))).toBe("from the proxy");
    expect(seen).toEqual(["http://models.test/v1"]);
    expect(await textOf(await send(direct, post("{}")))).toBe("direct");
    await expect(send("http://excluded.test/v1", post("{}"))).rejects.toMatchObject({
      code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
    });
    expect(seen).toHaveLength(1);
  });

  it("reaches an encrypted server through a proxy tunnel", async () => {
    const secure = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (_, outgoing) => {
      outgoing.end("secret");
    });
    const { port } = new URL(await listen(secure, "https"));
    const tunnels: string[] = [];
    const proxy = createServer();
    proxy.on("connect", (incoming, socket) => {
      tunnels.push(incoming.url ?? "");
      const onward = connect(Number(port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      onTestFinished(() => void onward.destroy());
    });
    onTestFinished(() => {
      secure.closeAllConnections();
      proxy.closeAllConnections();
    });
    const env = { https_proxy: await listen(proxy) };
    const send = leanFetch({ env, ca: TEST_CERTIFICATE });
    expect(await textOf(await send("https://models.test/v1", post("{}")))).toBe("secret");
    expect(await textOf(await send("https://models.test/v1", post("{}")))).toBe("secret");
    expect(tunnels).toEqual(["models.test:443"]);
  });
});
