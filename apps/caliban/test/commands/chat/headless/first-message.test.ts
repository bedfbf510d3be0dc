import { describe, expect, it } from "vitest";
import { firstMessage } from "../../../../src/commands/chat/headless/first-message.ts";
import type { InputKind } from "../../../../src/host.ts";

/** A stdin of a kind that says this, or nothing at all. */
function stdin(
  kind: InputKind,
  input?: string,
): Parameters<typeof firstMessage>[1] & { readonly waits: number[] } {
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

describe("the first message", () => {
  it.for([
    ["the text alone", true, "fix it", stdin("none"), "fix it"],
    ["the text alone on a terminal", true, "fix it", stdin("terminal", "typed"), "fix it"],
    [
      "the text and behind it the pipe",
      true,
      "sum up",
      stdin("pipe", "a log\n"),
      "sum up\n\na log\n",
    ],
    [
      "the text and behind it the file",
      false,
      "sum up",
      stdin("file", "a log\n"),
      "sum up\n\na log\n",
    ],
    ["the text where the pipe is empty", true, "fix it", stdin("pipe", ""), "fix it"],
    ["the pipe alone", true, undefined, stdin("pipe", "fix it\n"), "fix it\n"],
    ["the pipe alone without -p", false, undefined, stdin("pipe", "fix it\n"), "fix it\n"],
    ["nothing where nothing is said", false, undefined, stdin("none"), undefined],
    ["nothing where the file is empty", false, undefined, stdin("file", " \n"), undefined],
    ["nothing where the pipe is silent", false, undefined, stdin("pipe"), undefined],
  ] as const)("is %s", async ([, print, text, host, expected]) => {
    expect(await firstMessage({ print, text }, host)).toEqual({ text: expected });
  });

  it("goes without a silent pipe, and says so", async () => {
    expect(await firstMessage({ print: true, text: "fix it" }, stdin("pipe"))).toEqual({
      text: "fix it",
      warning: expect.stringContaining("nothing came in 3 seconds"),
    });
  });

  it.for([["none"], ["terminal"], ["pipe"], ["file"]] as const)(
    "is missed where it was announced and stdin is %s and empty",
    async ([kind]) => {
      const missing = firstMessage({ print: true, text: undefined }, stdin(kind, ""));
      await expect(missing).rejects.toThrow("-p needs a text");
    },
  );

  it("waits the longer the likelier something comes", async () => {
    const hosts = [stdin("pipe", "x"), stdin("pipe", "x"), stdin("pipe", "x")] as const;
    await firstMessage({ print: false, text: undefined }, hosts[0]);
    await firstMessage({ print: true, text: "x" }, hosts[1]);
    await firstMessage({ print: true, text: undefined }, hosts[2]);
    expect(hosts.flatMap(({ waits }) => waits)).toEqual([300, 3000, 30_000]);
  });
});
