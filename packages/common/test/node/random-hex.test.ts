import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { randomHex } from "../../src/node/random-hex.ts";

it("returns two digits for each byte, different ones each time", () => {
  expect(randomHex(4)).toMatch(/^[0-9a-f]{8}$/);
  expect(new Set(Array.from({ length: 100 }, () => randomHex(16))).size).toBe(100);
});

it("ignores a file that is not a device", async () => {
  const file = join(await temporaryDirectory(), "urandom");
  await writeFile(file, "A".repeat(100));
  expect(randomHex(16, file)).toMatch(/^[0-9a-f]{32}$/);
  expect(randomHex(16, file)).not.toBe("41".repeat(16));
});

it("falls back if the device is missing or returns too few bytes", async () => {
  const missing = join(await temporaryDirectory(), "missing");
  for (const file of [missing, "/dev/null"]) {
    expect(randomHex(16, file)).toMatch(/^[0-9a-f]{32}$/);
    expect(randomHex(16, file)).not.toBe("00".repeat(16));
  }
});
