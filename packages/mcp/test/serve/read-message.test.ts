import { describe, expect, it } from "vitest";
import { readMessageLine } from "../../src/serve/read-message.ts";

const tooLong = (head: string, tail: string): unknown => {
  const read = readMessageLine({ kind: "too-long", head, tail });
  return read !== undefined && "bad" in read ? read.bad.id : read;
};

describe("the id of a message that is too long", () => {
  it.for<[string, string, string | number | null]>([
    ['{"jsonrpc":"2.0","id":7,"method":"x', 'xxx"}}', 7],
    ['{"id":"a-1","jsonrpc":"2.0",', 'xxx"}}', "a-1"],
    ['{"method":"tools/call","params":{', 'xxx"}},"jsonrpc":"2.0","id":12}', 12],
    ['{"method":"tools/call","params":{', 'xxx"}}, "id" : "b" }\r', "b"],
    // Of something inside, and of what is no JSON: none of the message.
    ['{"method":"tools/call","params":{"id":5,', 'xxx","id":5}}', null],
    ['{"params":{"id":5,', 'x"}}', null],
    ["xxxx", "xxxx", null],
    ['{"id":{},', "}", null],
  ])("is found where it is the first or the last of it: %s…%s", ([head, tail, id]) => {
    expect(tooLong(head, tail)).toBe(id);
  });
});

describe("a line of the protocol", () => {
  const line = (text: string): ReturnType<typeof readMessageLine> =>
    readMessageLine({ kind: "line", bytes: Buffer.from(text) });

  it("is a message, or nothing where it is blank", () => {
    expect(line('{"jsonrpc":"2.0","id":1,"method":"ping"}\r')).toMatchObject({
      message: { id: 1, method: "ping" },
    });
    expect(line(" \t\r")).toBeUndefined();
  });
});
