import { expect, it } from "vitest";
import { writeAtOnce } from "../src/write-at-once.ts";

const shown = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

it("leaves nothing where all of it could be written", () => {
  const written: unknown[] = [];
  const left = writeAtOnce("höhe\n", {
    writeSync: (descriptor, bytes) => {
      written.push([descriptor, shown(bytes)]);
      return bytes.length;
    },
  });
  expect(written).toEqual([[1, "höhe\n"]]);
  expect(left).toHaveLength(0);
});

it("leaves the rest where a pipe took a part", () => {
  expect(shown(writeAtOnce("abcdef", { writeSync: () => 4 }))).toBe("ef");
});

it("leaves all of it to the stream where nothing can be written now", () => {
  const writeSync = (): number => {
    throw Object.assign(new Error("full"), { code: "EAGAIN" });
  };
  expect(shown(writeAtOnce("abc", { writeSync }))).toBe("abc");
});
