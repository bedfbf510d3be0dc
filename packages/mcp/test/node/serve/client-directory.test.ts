import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { chooseRoot } from "../../../src/node/serve/client-directory.ts";

describe("the roots of a client", () => {
  it("requires the roots of a client to name one existing directory of this machine", async () => {
    const parent = await temporaryDirectory();
    await writeFiles(parent, { "a b/x": "", "c/x": "" });
    const [one, other, file] = ["a b", "c", "c/x"].map(
      (name) => pathToFileURL(`${parent}/${name}`).href,
    );
    const of = (...uris: readonly (string | undefined)[]): unknown =>
      chooseRoot(uris.map((uri) => uri ?? ""));
    expect(of()).toEqual({ kind: "none" });
    expect(of(one)).toEqual({ kind: "directory", directory: `${parent}/a b` });
    expect(of(one, one)).toEqual({ kind: "directory", directory: `${parent}/a b` });
    expect(of(one, other)).toMatchObject({
      kind: "problem",
      message: expect.stringContaining("2 roots") as string,
    });
    for (const uri of [
      file,
      `${one}/none`,
      "file://other.host/x",
      "file:///a%2fb",
      "https://example.com",
      "",
      parent,
    ]) {
      expect(of(uri), `for ${uri}`).toMatchObject({
        kind: "problem",
        message: expect.stringContaining("not a directory here") as string,
      });
    }
  });
});
