import { pathToFileURL } from "node:url";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { sessionOfClient } from "../../../src/serve/client-view.ts";
import { chooseRoot } from "../../../src/node/serve/client-directory.ts";

const PLAIN = /^mcp:[\p{L}\p{N}._@/ -]{1,60}$/u;

describe("the name of a client in the history", () => {
  it.for([
    ["claude-code", "mcp:claude-code"],
    ["@scope/agent 2.0", "mcp:@scope/agent 2.0"],
    ["Ünïcode", "mcp:Ünïcode"],
    ["a\u001B[31m\u202Eb\n`c`", "mcp:a 31m b c"],
    ["  ", "mcp:unnamed"],
    ["x".repeat(500), `mcp:${"x".repeat(60)}`],
  ])("%j is %j", ([name, session]) => {
    expect(sessionOfClient(name)).toBe(session);
  });

  it("is one short line of plain characters, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (name) => {
        expect(sessionOfClient(name)).toMatch(PLAIN);
      }),
    );
  });
});

describe("the roots of a client", () => {
  it("name a directory where there is one of them", async () => {
    const place = await temporaryDirectory();
    await writeFiles(place, { "a b/x": "", "c/x": "" });
    const [one, other, file] = ["a b", "c", "c/x"].map(
      (name) => pathToFileURL(`${place}/${name}`).href,
    );
    const of = (...uris: readonly (string | undefined)[]): unknown =>
      chooseRoot(uris.map((uri) => uri ?? ""));
    expect(of()).toEqual({ kind: "none" });
    expect(of(one)).toEqual({ kind: "directory", directory: `${place}/a b` });
    expect(of(one, one)).toEqual({ kind: "directory", directory: `${place}/a b` });
    expect(of(one, other)).toMatchObject({
      kind: "problem",
      sentence: expect.stringContaining("2 roots") as string,
    });
    for (const uri of [
      file,
      `${one}/none`,
      "file://other.host/x",
      "file:///a%2fb",
      "https://example.com",
      "",
      place,
    ]) {
      expect(of(uri), `for ${uri}`).toMatchObject({
        kind: "problem",
        sentence: expect.stringContaining("--workspace DIR") as string,
      });
    }
  });
});
