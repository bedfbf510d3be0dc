import { splitArguments } from "@caliban/common";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  expandArguments,
  inlineCommands,
} from "../../../../src/commands/chat/custom/expand-arguments.ts";

const expand = (body: string, rest: string): string | undefined =>
  expandArguments(body, { rest, words: splitArguments(rest) });

describe("expandArguments", () => {
  it.each([
    ["Fix $1 in $2", "'a bug' src", "Fix a bug in src"],
    ["Fix $ARGUMENTS.", ' "a b"  c', 'Fix  "a b"  c.'],
    ["$1$1 $9", "a", "aa "],
    ["$10 $0 $$1 US$1", "a", "$10 $0 $a USa"],
    [String.raw`\$1 \$ARGUMENTS \n $1`, "a", String.raw`$1 $ARGUMENTS \n a`],
    ["$ARGUMENTSX $ARGUMENTS", "a", "$ARGUMENTSX a"],
    ["$1 $2", "$2 $ARGUMENTS $&", "$2 $ARGUMENTS"],
    ["no arguments", "a", "no arguments"],
  ])("fills %j with %j", (body, rest, expected) => {
    expect(expand(body, rest)).toBe(expected);
  });

  it("never fills in what an argument contains", () => {
    const piece = fc.constantFrom("$1", "$ARGUMENTS", "\\", "a", " ");
    const text = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (rest) => {
        expect(expand("<$ARGUMENTS>", rest)).toBe(`<${rest}>`);
      }),
    );
  });

  it("refuses a text that would not fit into a conversation", () => {
    expect(expand("$ARGUMENTS".repeat(1000), "x".repeat(1000))).toBeUndefined();
  });
});

it("finds the commands that other programs would run", () => {
  expect(inlineCommands("Status: !`git status`\n!`git diff`, not a!`b` nor `!c`")).toEqual([
    "git status",
    "git diff",
  ]);
});
