import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type InputMessage,
  parseMessage,
  readMessages,
} from "../../../../src/commands/chat/headless/input-messages.ts";

describe("a line of input", () => {
  it("is a message of the person's", () => {
    expect(parseMessage('{"type":"user","text":"fix it","more":1}', 1)).toEqual({
      type: "user",
      text: "fix it",
    });
  });

  it.for([
    ["fix it", "it is no JSON"],
    ['{"type":"user"', "it is no JSON"],
    ["null", "it is no object"],
    ['["user"]', "it is no object"],
    ['{"text":"x"}', 'its "type" is not "user"'],
    ['{"type":"assistant","text":"x"}', 'its "type" is not "user"'],
    ['{"type":"user"}', 'it has no "text" in it'],
    ['{"type":"user","text":" "}', 'it has no "text" in it'],
    ['{"type":"user","text":["x"]}', 'it has no "text" in it'],
  ] as const)("%s is none: %s", ([content, reason]) => {
    expect(parseMessage(content, 7)).toEqual({
      type: "input-error",
      line: 7,
      sentence: `line 7 of stdin is no message: ${reason}; a message is {"type":"user","text":"…"}`,
    });
  });

  it("is a message for every text that is not blank, and never breaks the reader", () => {
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

  it("is counted also when it is empty", async () => {
    const read: InputMessage[] = [];
    for await (const message of readMessages(
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
