import { describe, expect, it } from "vitest";
import { createWorkQueue } from "../../src/input/work-queue.ts";

describe("the queue", () => {
  it("handles one item after the other, and reports which ones wait", async () => {
    const log: string[] = [];
    const queue = createWorkQueue<string>({
      handle: async (text) => {
        log.push(`begin ${text}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`end ${text}`);
      },
      onWaiting: (texts) => void log.push(`waiting ${texts.join()}`),
      onDone: () => void log.push("done"),
    });
    const all = queue.add("a");
    await queue.add("b");
    expect(queue.isBusy()).toBe(true);
    await all;
    expect(queue.isBusy()).toBe(false);
    expect(log).toEqual([
      "begin a",
      "waiting b",
      "end a",
      "done",
      "waiting ",
      "begin b",
      "end b",
      "done",
    ]);
  });

  it("returns the waiting items, and works again after a failure", async () => {
    let fail: (error: Error) => void = () => undefined;
    const queue = createWorkQueue<string>({
      handle: async () => await new Promise<void>((_, reject) => (fail = reject)),
      onWaiting: () => undefined,
      onDone: () => undefined,
    });
    const broken = queue.add("a").catch(String);
    await queue.add("b");
    expect(queue.takeWaiting()).toEqual(["b"]);
    expect(queue.takeWaiting()).toEqual([]);
    fail(new Error("boom"));
    expect(await broken).toBe("Error: boom");
    expect(queue.isBusy()).toBe(false);
  });
});
