import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type InputMessage,
  parseMessage,
  parseMessages,
} from "../../../../src/commands/chat/headless/input-messages.ts";

describe("parseMessage", () => {
  it("parses a user message and ignores other keys", () => {
    expect(parseMessage('{"type":"user","text":"fix it","more":1}', 1)).toEqual({
      type: "user",
      text: "fix it",
    });
  });

  it.for([
    ["fix it", "invalid JSON"],
    ['{"type":"user"', "invalid JSON"],
    ["null", "not an object"],
    ['["user"]', "not an object"],
    ['{"text":"x"}', '"type" must be "user"'],
    ['{"type":"assistant","text":"x"}', '"type" must be "user"'],
    ['{"type":"user"}', '"text" is missing or empty'],
    ['{"type":"user","text":" "}', '"text" is missing or empty'],
    ['{"type":"user","text":["x"]}', '"text" is missing or empty'],
  ] as const)("rejects %s: %s", ([content, reason]) => {
    expect(parseMessage(content, 7)).toEqual({
      type: "input-error",
      line: 7,
      message: `stdin line 7: ${reason}. Expected: {"type":"user","text":"…"}`,
    });
  });

  it("accepts every text that is not blank, and never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 8 }),
        fc.json({ maxDepth: 2 }),
        (text, json) => {
          const own = parseMessage(JSON.stringify({ type: "user", text }), 1);
          expect(own.type).toBe(text.trim() === "" ? "input-error" : "user");
          expect(["user", "input-error"]).toContain(parseMessage(json, 1).type);
          expect(["user", "input-error"]).toContain(parseMessage(text, 1).type);
        },
      ),
    );
  });

  it("counts empty lines, but yields nothing for them", async () => {
    const read: InputMessage[] = [];
    for await (const message of parseMessages(
      linesOf(["", '{"type":"user","text":"a"}', " ", "x"]),
    )) {
      read.push(message);
    }
    expect(read).toMatchObject([
      { type: "user", text: "a" },
      { type: "input-error", line: 4 },
    ]);
  });
});

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
