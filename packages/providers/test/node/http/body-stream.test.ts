import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { readBody } from "../../../src/node/http/body-stream.ts";

/** An answer whose connection is lost before anybody looks at its body. */
async function lostAnswer(header: string): Promise<IncomingMessage> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`);
      setTimeout(() => socket.resetAndDestroy(), 10);
    });
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  request.on("error", () => undefined);
  const [incoming] = (await once(request, "response")) as [IncomingMessage];
  await new Promise((resolve) => incoming.once("close", resolve));
  return incoming;
}

describe("a body whose connection is lost before it is read", () => {
  it.for([
    ["plain", ""],
    ["compressed", "content-encoding: gzip\r\n"],
  ] as const)(
    "fails immediately when the connection was lost before reading, for a body that is %s",
    async ([, header]) => {
      const body = await readBody(await lostAnswer(header), {
        abortReason: () => undefined,
        maxBytes: 1024,
      });
      const reader = body.getReader();
      await expect(
        (async () => {
          while (!(await reader.read()).done);
        })(),
      ).rejects.toMatchObject({ code: "ECONNRESET" });
    },
  );
});
