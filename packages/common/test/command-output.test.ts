import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseUserCommand, renderUserCommand } from "../src/command-output.ts";

const TEXT = fc
  .array(fc.constantFrom("<", "/", "\\", "command-output", ">", "\n", "a"), { maxLength: 8 })
  .map((parts) => parts.join(""));

describe("a command of the user as a message", () => {
  it("survives being rendered and parsed, and the output never closes its element", () => {
    fc.assert(
      fc.property(TEXT, fc.boolean(), (output, isError) => {
        const text = renderUserCommand({ command: "ls -a", output, isError });
        expect(parseUserCommand(text)).toEqual({ command: "ls -a", output, isError });
        expect(text.match(/<\/command-output/g)).toHaveLength(1);
      }),
    );
  });

  it.each(["!ls", "hello", "!ls\n\n<command-output>x</command-output>"])(
    "does not take %j for one",
    (text) => expect(parseUserCommand(text)).toBeUndefined(),
  );
});
