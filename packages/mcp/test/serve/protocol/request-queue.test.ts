import { describe, expect, it } from "vitest";
import { createRequestQueue } from "../../../src/serve/protocol/request-queue.ts";

const SIGNAL = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the request queue", () => {
  it("runs every request in order, eight at a time", async () => {
    const queue = createRequestQueue();
    let [running, maxRunning] = [0, 0];
    const done: number[] = [];
    const all = Array.from({ length: 50 }, (_, index) =>
      queue.run(async () => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await turn();
        running -= 1;
        done.push(index);
      }, SIGNAL),
    );
    await queue.idle();
    await Promise.all(all);
    expect(maxRunning).toBe(8);
    expect(done).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  it("reports no room for more while 128 requests wait", async () => {
    const queue = createRequestQueue();
    const gate = Promise.withResolvers<void>();
    for (let count = 0; count < 8 + 128; count += 1) void queue.run(() => gate.promise, SIGNAL);
    let hasRoom = false;
    const room = (async () => {
      await queue.hasRoom();
      hasRoom = true;
    })();
    await turn();
    expect(hasRoom).toBe(false);
    gate.resolve();
    await room;
    expect(hasRoom).toBe(true);
  });

  it("runs a request only after earlier answers were taken, and refuses it when the server ends", async () => {
    const queue = createRequestQueue(() => new Promise<void>(() => undefined));
    let isDone = false;
    const waiting = queue.run(async () => {
      isDone = true;
    }, SIGNAL);
    await turn();
    expect(isDone).toBe(false);
    const [refused] = await Promise.all([Promise.allSettled([waiting]), queue.end()]);
    expect(refused).toMatchObject([
      { status: "rejected", reason: { message: "the server is shutting down; not run" } },
    ]);
    expect(isDone).toBe(false);
  });

  it("ends after the running requests, even if one fails, and starts no other", async () => {
    const queue = createRequestQueue();
    const gate = Promise.withResolvers<void>();
    const begun: number[] = [];
    const all = Array.from({ length: 20 }, (_, index) =>
      queue.run(async () => {
        begun.push(index);
        await gate.promise;
        if (index === 1) throw new Error("fails");
      }, SIGNAL),
    );
    await turn();
    const ended = queue.end();
    gate.resolve();
    await ended;
    const results = await Promise.allSettled(all);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(results.filter(({ status }) => status === "fulfilled").length).toBe(7);
  });

  it("skips a request that was cancelled before its turn", async () => {
    const cancel = new AbortController();
    cancel.abort();
    const queue = createRequestQueue();
    await expect(queue.run(async () => "done", cancel.signal)).rejects.toThrow("cancelled");
    expect(await queue.run(async () => "done", SIGNAL)).toBe("done");
  });
});
