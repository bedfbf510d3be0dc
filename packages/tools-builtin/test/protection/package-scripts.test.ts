import { describe, expect, it } from "vitest";
import { isPackageManifest, runsOtherPrograms } from "../../src/protection/package-scripts.ts";

const json = (value: unknown): string => JSON.stringify(value);

describe("what a package.json runs", () => {
  it.for([
    [json({ scripts: { a: "x" } }), json({ scripts: { a: "y" } })],
    [undefined, json({ scripts: { postinstall: "x" } })],
    [json({ name: "a" }), json({ name: "a", "lint-staged": { "*": "x" } })],
    [json({ scripts: {} }), json({})],
    [json({ name: "a" }), json({ name: "a", packageManager: "pnpm@1" })],
    [json({ name: "a" }), "{"],
    ["{", json({ name: "a" })],
    [json({ name: "a" }), "[]"],
  ] as const)("changes from %s to %s", ([before, after]) => {
    expect(runsOtherPrograms(before, after)).toBe(true);
  });

  it.for([
    [json({ name: "a", scripts: { a: "x" } }), json({ name: "b", scripts: { a: "x" } })],
    [json({ dependencies: {} }), `\uFEFF${json({ dependencies: { x: "1" } })}`],
    [undefined, json({ name: "a" })],
    ["{", "{"],
    [undefined, undefined],
  ] as const)("stays the same from %s to %s", ([before, after]) => {
    expect(runsOtherPrograms(before, after)).toBe(false);
  });

  it("concerns files called package.json only", () => {
    expect(["package.json", "a/Package.JSON"].every(isPackageManifest)).toBe(true);
    expect(["package.json5", "xpackage.json", "package.json/x"].some(isPackageManifest)).toBe(
      false,
    );
  });
});
