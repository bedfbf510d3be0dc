import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import type { BytePipe } from "../../../src/node/serve/byte-pipe.ts";
import { serveStdio } from "../../../src/node/serve/serve-stdio.ts";
import { createMemoryServer } from "../../../src/serve/create-memory-server.ts";

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

const request = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

const reads = (count: number): string =>
  Array.from({ length: count }, (_, index) =>
    request(index + 1, "resources/read", { uri: "memory://index" }),
  ).join("");

/** A store that counts how often its index is read. */
function countingStore(): { readonly store: TopicStore; readonly count: () => number } {
  const store = createMapTopicStore();
  let count = 0;
  const index = async (): Promise<string> => {
    count += 1;
    return await store.index();
  };
  return { store: { ...store, index }, count: () => count };
}

/** A client that sends its input at once, and takes answers only after `take`. */
function createPipe(input: string): {
  readonly pipe: BytePipe;
  readonly written: readonly string[];
  readonly take: () => void;
} {
  const written: string[] = [];
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const pipe: BytePipe = {
    input: (async function* () {
      yield new TextEncoder().encode(input);
    })(),
    write: async (text) => void written.push(text),
    hasRoom: () => taken,
    close: () => undefined,
  };
  return { pipe, written, take };
}

const turns = async (): Promise<void> => {
  for (let count = 0; count < 100; count += 1) await new Promise((done) => setImmediate(done));
};

describe("serving on stdin and stdout", () => {
  it("runs no request while the client does not take its answers, and all of them afterwards", async () => {
    const { store, count } = countingStore();
    const { pipe, written, take } = createPipe(request(0, "initialize", INITIALIZE) + reads(400));
    const serving = serveStdio({
      pipe,
      createServer: (requests) => createMemoryServer({ store, requests }),
    });
    await turns();
    expect(count()).toBe(0);
    take();
    expect(await serving).toBe("ended");
    expect(count()).toBe(400);
    expect(written).toHaveLength(401);
  });

  it("starts no waiting request after it is interrupted", async () => {
    const { store, count } = countingStore();
    const { pipe } = createPipe(request(0, "initialize", INITIALIZE) + reads(20));
    const interruption = Promise.withResolvers<void>();
    const serving = serveStdio({
      pipe,
      createServer: (requests) => createMemoryServer({ store, requests }),
      interrupted: interruption.promise,
    });
    await turns();
    interruption.resolve();
    await serving;
    expect(count()).toBe(0);
  });
});
