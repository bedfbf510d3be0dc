import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMessage, readMessageLine } from "../../../src/serve/protocol/read-message.ts";

const tooLong = (head: string, tail: string): unknown => {
  const read = readMessageLine({ kind: "too-long", head, tail });
  return read !== undefined && "invalid" in read ? read.invalid.id : read;
};

describe("a message that is too long", () => {
  it.for<[string, string, string | number | null]>([
    ['{"jsonrpc":"2.0","id":7,"method":"x', 'xxx"}}', 7],
    ['{"id":"a-1","jsonrpc":"2.0",', 'xxx"}}', "a-1"],
    ['{"method":"tools/call","params":{', 'xxx"}},"jsonrpc":"2.0","id":12}', 12],
    ['{"method":"tools/call","params":{', 'xxx"}}, "id" : "b" }\r', "b"],
    // An id inside the parameters, or in text that is not JSON, is not the id of the message.
    ['{"method":"tools/call","params":{"id":5,', 'xxx","id":5}}', null],
    ['{"params":{"id":5,', 'x"}}', null],
    ["xxxx", "xxxx", null],
    ['{"id":{},', "}", null],
  ])(
    "finds the id of a long message if it is the first or last member: %s…%s",
    ([head, tail, id]) => {
      expect(tooLong(head, tail)).toBe(id);
    },
  );
});

describe("a line of the protocol", () => {
  const line = (text: string): ReturnType<typeof readMessageLine> =>
    readMessageLine({ kind: "line", bytes: Buffer.from(text) });

  it("reads a line as a message, unless it is blank", () => {
    expect(line('{"jsonrpc":"2.0","id":1,"method":"ping"}\r')).toMatchObject({
      message: { id: 1, method: "ping" },
    });
    expect(line(" \t\r")).toBeUndefined();
  });

  it.for([
    ["nonsense", -32_700, "invalid JSON"],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600, "batches are not supported"],
    ['{"id":1,"method":"ping"}', -32_600, "not a JSON-RPC 2.0 message"],
  ] as const)("refuses the line %s", ([text, code, message]) => {
    expect(line(text)).toMatchObject({
      invalid: { code, message: expect.stringContaining(message) as string },
    });
  });
});

it("reads any bytes as a message of the protocol or as an invalid one", () => {
  const id = fc.constantFrom<unknown>(1, "a", null, 1.5, {}, [], true, 2 ** 60, "");
  const field = fc.constantFrom<unknown>("ping", 1, null, {}, [], { code: 1, message: "x" });
  const member = fc.constantFrom("method", "params", "result", "error", "__proto__", "extra");
  const message = fc
    .tuple(id, fc.dictionary(member, field, { maxKeys: 3 }), fc.constantFrom("2.0", "1.0", 2))
    .map(([given, fields, jsonrpc]) => JSON.stringify({ jsonrpc, id: given, ...fields }));
  const text = fc.oneof(
    message,
    message.map((whole) => whole.slice(0, -3)),
    message.map((whole) => `[${whole}]`),
    fc.constantFrom("", "null", "\u0000", "[".repeat(9)),
  );
  const bytes = fc.oneof(
    text.map((whole) => Buffer.from(whole)),
    fc.uint8Array({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(bytes, (given) => {
      const read = readMessage(given);
      const kind = "message" in read ? read.message.jsonrpc : read.invalid.code;
      expect(["2.0", -32_700, -32_600]).toContain(kind);
    }),
    { numRuns: 500 },
  );
});
