import { formatMention } from "@caliban/tui";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMentions } from "../../../src/conversation/attach/find-mentions.ts";

const paths = (text: string) =>
  findMentions(text).map((readings) => readings.map(({ path }) => path));

describe("findMentions", () => {
  it.each([
    ["see @src/a.ts", [["src/a.ts"]]],
    ["see (@src/a.ts), please", [["src/a.ts),", "src/a.ts"]]],
    ["is it @README.md?", [["README.md?", "README.md"]]],
    ["twice @a and @a", [["a"]]],
    ['in quotes @"my file.md".', [["my file.md"]]],
    ["mail me@example.org", []],
    ["an @ alone, and @", []],
    ['an open @"quote', []],
  ])("finds the paths in %j", (text, expected) => {
    expect(paths(text)).toEqual(expected);
  });

  it("reads every path that the completion spells", () => {
    const path = fc.string({
      unit: fc.constantFrom("a", "/", " ", '"', "\\", ".", "@", "(", "é"),
      minLength: 1,
    });
    fc.assert(
      fc.property(path, (name) => {
        expect(paths(`see ${formatMention(name)} now`)[0]).toEqual([name]);
      }),
    );
  });
});
