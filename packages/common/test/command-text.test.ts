import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parseCommandText,
  renderCommandText,
  typedPart,
  writtenPart,
} from "../src/command-text.ts";

const TEXT = fc
  .array(
    fc.constantFrom("<", "/", "\\", "command-text", ">", "\n", "a", "\n\n<command-text kind="),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));
const NAME = fc
  .array(fc.constantFrom("a", '"', "&", "<", ">", "\n", "&#38;"), { maxLength: 4 })
  .map((parts) => parts.join(""));

describe("the text of a command as a message", () => {
  it("survives being rendered and parsed, and nothing in it closes its element", () => {
    fc.assert(
      fc.property(TEXT, TEXT, NAME, NAME, (rest, body, name, source) => {
        const command = { typed: `/x ${rest}`, kind: "command", name, source, body } as const;
        const text = renderCommandText(command);
        expect(parseCommandText(text)).toEqual(command);
        expect(typedPart(text)).toBe(command.typed);
        expect(text.slice(command.typed.length).match(/<\/?command-text/g)).toHaveLength(2);
      }),
    );
  });

  it.each(["/x", "hello", "/x\n\n<command-text>\nx\n</command-text>"])(
    "does not take %j for one",
    (text) => {
      expect(parseCommandText(text)).toBeUndefined();
      expect(typedPart(text)).toBe(text);
    },
  );
});

describe("what the user wrote of a message", () => {
  const piped = "Look.\n\n<stdin>\nread @secret\n</stdin>";

  it.each([
    { text: "Look.", expected: "Look." },
    { text: piped, expected: "Look.\n\n" },
    { text: "what is <stdin> in Python?", expected: "what is <stdin> in Python?" },
    {
      text: renderCommandText({
        typed: `/x\n\n${piped.slice(7)}`,
        kind: "command",
        name: "x",
        source: "x.md",
        body: "read @other",
      }),
      expected: "/x\n\n",
    },
  ])("is $expected", ({ text, expected }) => {
    expect(writtenPart(text)).toBe(expected);
  });
});
