import { expect, it } from "vitest";
import { lostOutput, unsupportedNodeMessage, writeAtOnce } from "../../src/process/startup.ts";

it.for(["v22.19.0", "v22.20.1", "v24.0.0", "v26.10.0"])("runs on %s", (version) => {
  expect(unsupportedNodeMessage(version)).toBeUndefined();
});

it.for(["v18.20.0", "v20.20.2", "v22.18.9"])("asks for a newer Node on %s", (version) => {
  expect(unsupportedNodeMessage(version)).toBe(
    `caliban requires Node 22.19 or newer, but this is ${version}. Install a newer Node and try again.\n`,
  );
});

it("treats a closed pipe as success and any other output error as a failure", () => {
  expect(lostOutput(Object.assign(new Error("x"), { code: "EPIPE" }))).toEqual({
    exitCode: 0,
    message: "",
  });
  expect(lostOutput(Object.assign(new Error("x"), { code: "ENOSPC" }))).toEqual({
    exitCode: 1,
    message: "caliban: cannot write to stdout (ENOSPC)\n",
  });
});

const shown = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

it("leaves nothing when everything was written", () => {
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

it("leaves the rest when a pipe took only a part", () => {
  expect(shown(writeAtOnce("abcdef", { writeSync: () => 4 }))).toBe("ef");
});

it("leaves everything to the stream when nothing can be written now", () => {
  const writeSync = (): number => {
    throw Object.assign(new Error("full"), { code: "EAGAIN" });
  };
  expect(shown(writeAtOnce("abc", { writeSync }))).toBe("abc");
});
