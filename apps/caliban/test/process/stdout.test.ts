import { expect, it } from "vitest";
import { createStdout } from "../../src/process/stdout.ts";

/** A process whose stdout takes a number of bytes at once, and what it has written in order. */
function fakeProcess({ isTerminal = false, takes = Infinity } = {}) {
  const written: string[] = [];
  let isOpen = false;
  const stream = {
    isTTY: isTerminal,
    on: () => stream,
    write: (text: string | Uint8Array) => written.push(`stream: ${Buffer.from(text).toString()}`),
  };
  const fs = {
    fstatSync: () => ({ isCharacterDevice: () => isTerminal, rdev: 2 }),
    statSync: () => ({ rdev: 1 }),
    writeSync: (_descriptor: number, bytes: Uint8Array) => {
      const taken = Buffer.from(bytes).subarray(0, takes);
      written.push(`direct: ${taken.toString()}`);
      return taken.length;
    },
  };
  const machine = {
    getBuiltinModule: () => fs,
    get stdout() {
      isOpen = true;
      return stream;
    },
  };
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is used
    stdout: createStdout(machine as unknown as NodeJS.Process),
    written,
    isOpen: () => isOpen,
  };
}

it("writes to a file or a pipe without opening the stream", () => {
  const { stdout, written, isOpen } = fakeProcess();
  expect(stdout.isTerminal()).toBe(false);
  stdout.write("a");
  stdout.write("b");
  expect({ written, isOpen: isOpen() }).toEqual({
    written: ["direct: a", "direct: b"],
    isOpen: false,
  });
});

it("leaves the rest to the stream when a pipe is full, and everything that comes later", () => {
  const { stdout, written } = fakeProcess({ takes: 2 });
  stdout.write("abc");
  stdout.write("d");
  expect(written).toEqual(["direct: ab", "stream: c", "stream: d"]);
});

it("uses the stream of a terminal", () => {
  const { stdout, written } = fakeProcess({ isTerminal: true });
  expect(stdout.isTerminal()).toBe(true);
  stdout.write("a");
  expect(written).toEqual(["stream: a"]);
});
