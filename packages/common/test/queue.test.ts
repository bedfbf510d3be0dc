import { expect, it } from "vitest";
import { createInterruptibleQueue, createQueue } from "../src/queue.ts";

it("createQueue runs one action after another, in the order they were handed in", async () => {
  const enqueue = createQueue();
  const log: string[] = [];
  const action = (name: string) => async () => {
    log.push(`${name} starts`);
    await Promise.resolve();
    log.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all([enqueue(action("a")), enqueue(action("b"))]);
  expect(results).toEqual(["a", "b"]);
  expect(log).toEqual(["a starts", "a ends", "b starts", "b ends"]);
});

it("createQueue reports a failure to its caller and runs the next action regardless", async () => {
  const enqueue = createQueue();
  const failed = enqueue(() => {
    throw new Error("no");
  });
  const next = enqueue(() => "yes");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

it("createInterruptibleQueue aborts the running action only, and says whether there is one", async () => {
  const { run, interrupt } = createInterruptibleQueue();
  expect(interrupt()).toBe(false);
  const first = run(async (signal) => {
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve());
    });
    return "aborted";
  });
  const second = run(async (signal) => signal.aborted);
  await Promise.resolve();
  expect(interrupt()).toBe(true);
  expect(await Promise.all([first, second])).toEqual(["aborted", false]);
  expect(interrupt()).toBe(false);
});
