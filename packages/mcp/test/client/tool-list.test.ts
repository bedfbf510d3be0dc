import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseTools } from "../../src/client/tool-list.ts";
import { hostileText, toolNames } from "./hostile-text.ts";

it("leaves a tool list unchanged that was parsed before", () => {
  const tool = fc.record({
    name: toolNames,
    description: hostileText,
    inputSchema: fc.record({ type: fc.constant("object"), title: hostileText }),
  });
  fc.assert(
    fc.property(
      fc.array(fc.oneof(tool, fc.jsonValue({ maxDepth: 2 })), { maxLength: 5 }),
      (raw) => {
        const { tools } = parseTools(raw);
        expect(parseTools(tools)).toEqual({ tools, problems: [] });
      },
    ),
  );
});

it("removes from tool schemas whatever makes providers refuse a request", () => {
  const properties = { "a.b-c_1": { anyOf: [{ type: "string" }] } };
  const raw = [
    { name: "plain", inputSchema: { type: "object", properties } },
    { name: "either", inputSchema: { properties, anyOf: [{ required: ["a"] }], $ref: "#/x" } },
    { name: "odd", inputSchema: { properties: { "über uns": {} } } },
    { name: "long", inputSchema: { properties: { ["x".repeat(65)]: {} } } },
  ];
  const inputSchema = { type: "object", properties };
  expect(parseTools(raw)).toEqual({
    tools: ["plain", "either"].map((name) => ({ name, description: "", inputSchema })),
    problems: [
      "simplified the schema of either for model providers",
      "ignored odd: model providers do not accept a field named über uns",
      `ignored long: model providers do not accept a field named ${"x".repeat(65)}`,
    ],
  });
});
