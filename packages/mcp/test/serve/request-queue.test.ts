import { describe, expect, it } from "vitest";
import { createRequestQueue } from "../../src/serve/request-queue.ts";

const SIGNAL = new AbortController().signal;
const taken = async (): Promise<void> => undefined;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the work of requests", () => {
  it("is done a few at a time, in order, and every one of it", async () => {
    const work = createRequestQueue(taken);
    let [running, most] = [0, 0];
    const done: number[] = [];
    const all = Array.from({ length: 50 }, (_, index) =>
      work.run(async () => {
        running += 1;
        most = Math.max(most, running);
        await turn();
        running -= 1;
        done.push(index);
      }, SIGNAL),
    );
    await work.idle();
    await Promise.all(all);
    expect(most).toBe(8);
    expect(done).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  it("has no room for more than waits, until some of it is done", async () => {
    const work = createRequestQueue(taken);
    const gate = Promise.withResolvers<void>();
    for (let count = 0; count < 8 + 128; count += 1) void work.run(() => gate.promise, SIGNAL);
    let hasRoom = false;
    const room = (async () => {
      await work.hasRoom();
      hasRoom = true;
    })();
    await turn();
    expect(hasRoom).toBe(false);
    gate.resolve();
    await room;
    expect(hasRoom).toBe(true);
  });

  it("begins only when the answers before it were taken, and ends without them", async () => {
    const work = createRequestQueue(() => new Promise<void>(() => undefined));
    let isDone = false;
    const waiting = work.run(async () => {
      isDone = true;
    }, SIGNAL);
    await turn();
    expect(isDone).toBe(false);
    const [refused] = await Promise.all([Promise.allSettled([waiting]), work.end()]);
    expect(refused).toMatchObject([
      { status: "rejected", reason: { message: "The server ends; nothing was done." } },
    ]);
    expect(isDone).toBe(false);
  });

  it("ends after what began, whatever failed, and begins nothing else", async () => {
    const work = createRequestQueue(taken);
    const gate = Promise.withResolvers<void>();
    const begun: number[] = [];
    const all = Array.from({ length: 20 }, (_, index) =>
      work.run(async () => {
        begun.push(index);
        await gate.promise;
        if (index === 1) throw new Error("its own");
      }, SIGNAL),
    );
    await turn();
    const ended = work.end();
    gate.resolve();
    await ended;
    const results = await Promise.allSettled(all);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(results.filter(({ status }) => status === "fulfilled").length).toBe(7);
  });

  it("that was cancelled before its turn is not begun", async () => {
    const cancel = new AbortController();
    cancel.abort();
    const work = createRequestQueue(taken);
    await expect(work.run(async () => "done", cancel.signal)).rejects.toThrow("cancelled");
    expect(await work.run(async () => "done", SIGNAL)).toBe("done");
  });
});
