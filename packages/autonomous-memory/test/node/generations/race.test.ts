import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readGuidance } from "../../../src/node/generations/read-guidance.ts";
import { createFixture } from "./generations-fixture.ts";
import { RUNTIME } from "../../../../../test/support/runtime.ts";

const run = promisify(execFile);
const WRITER = join(import.meta.dirname, "write-many-generations.process.ts");
const [WRITERS, WRITES] = [2, 15];

it(
  "gives concurrent writers unique numbers, and readers one complete generation",
  { timeout: 60_000 },
  async () => {
    const fixture = await createFixture();
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      run(RUNTIME, [
        "--conditions=caliban:source",
        WRITER,
        fixture.directory,
        String(writer),
        String(WRITES),
      ]),
    );
    const done = Promise.all(writers);
    const reading = { isOver: false };
    void done.finally(() => {
      reading.isOver = true;
    });
    let readings = 0;
    while (!reading.isOver) {
      const { body = "" } = await readGuidance({ directory: fixture.directory, maxTokens: 5_000 });
      const found = /<memory-summary>\n(.*)\n[^]*\n- (.*): Do it\n/.exec(body);
      expect(found?.[1]).toBe(found?.[2]);
      if (found !== null) readings += 1;
      await delay(2);
    }
    const numbers = (await done).flatMap(({ stdout }) => JSON.parse(stdout) as readonly number[]);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: WRITERS * WRITES }, (_, index) => index + 1),
    );
    expect(readings).toBeGreaterThan(10);
    expect(fixture.names()).toHaveLength(5);
    expect((await fixture.generations.read())?.number).toBe(WRITERS * WRITES);
  },
);
