import { describe, expect, it } from "vitest";
import { readFirstMessage } from "../../../../src/commands/chat/headless/first-message.ts";
import type { InputKind } from "../../../../src/host.ts";

/** A stdin of a kind, with this input or none. */
function stdin(
  kind: InputKind,
  input?: string,
): Parameters<typeof readFirstMessage>[1] & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    inputKind: () => kind,
    readInputWithin: async (firstByteMs) => {
      waits.push(firstByteMs);
      return input;
    },
  };
}

describe("readFirstMessage", () => {
  it.for([
    ["the text alone", true, "fix it", stdin("none"), "fix it"],
    ["the text alone on a terminal", true, "fix it", stdin("terminal", "typed"), "fix it"],
    [
      "the text followed by the pipe",
      true,
      "sum up",
      stdin("pipe", "a log\n"),
      "sum up\n\na log\n",
    ],
    [
      "the text followed by the file",
      false,
      "sum up",
      stdin("file", "a log\n"),
      "sum up\n\na log\n",
    ],
    ["the text when the pipe is empty", true, "fix it", stdin("pipe", ""), "fix it"],
    ["the pipe alone", true, undefined, stdin("pipe", "fix it\n"), "fix it\n"],
    ["the pipe alone without -p", false, undefined, stdin("pipe", "fix it\n"), "fix it\n"],
    ["nothing without text and input", false, undefined, stdin("none"), undefined],
    ["nothing when the file is empty", false, undefined, stdin("file", " \n"), undefined],
    ["nothing when the pipe is silent", false, undefined, stdin("pipe"), undefined],
  ] as const)("returns %s", async ([, print, text, host, expected]) => {
    expect(await readFirstMessage({ print, text }, host)).toEqual({ text: expected });
  });

  it("ignores a silent pipe and warns about it", async () => {
    expect(await readFirstMessage({ print: true, text: "fix it" }, stdin("pipe"))).toEqual({
      text: "fix it",
      warning: expect.stringContaining("no input on stdin after 3 seconds"),
    });
  });

  it.for([["none"], ["terminal"], ["pipe"], ["file"]] as const)(
    "rejects -p without a prompt when stdin is an empty %s",
    async ([kind]) => {
      const missing = readFirstMessage({ print: true, text: undefined }, stdin(kind, ""));
      await expect(missing).rejects.toThrow("-p requires a prompt");
    },
  );

  it("waits longer the more likely input is", async () => {
    const hosts = [stdin("pipe", "x"), stdin("pipe", "x"), stdin("pipe", "x")] as const;
    await readFirstMessage({ print: false, text: undefined }, hosts[0]);
    await readFirstMessage({ print: true, text: "x" }, hosts[1]);
    await readFirstMessage({ print: true, text: undefined }, hosts[2]);
    expect(hosts.flatMap(({ waits }) => waits)).toEqual([300, 3000, 30_000]);
  });
});
