import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clientSession } from "../../src/serve/client-view.ts";

const PLAIN = /^mcp:[\p{L}\p{N}._@/ -]{1,60}$/u;

describe("the session of a client in the history", () => {
  it.for([
    ["claude-code", "mcp:claude-code"],
    ["@scope/agent 2.0", "mcp:@scope/agent 2.0"],
    ["Ünïcode", "mcp:Ünïcode"],
    ["a\u001B[31m\u202Eb\n`c`", "mcp:a 31m b c"],
    ["  ", "mcp:unnamed"],
    [`agent ${"x".repeat(500)}`, "mcp:agent"],
    ["x".repeat(500), "mcp:unnamed"],
    ["x ".repeat(500), `mcp:${"x ".repeat(30).trim()}`],
  ])("names the session of the client %j as %j", ([name, session]) => {
    expect(clientSession(name)).toBe(session);
  });

  it("turns any client name into one short line of plain characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (name) => {
        expect(clientSession(name)).toMatch(PLAIN);
      }),
    );
  });
});
