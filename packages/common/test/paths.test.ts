import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { abbreviateHome, expandTilde, isAbsolutePath, joinPath } from "../src/paths.ts";

describe("joinPath", () => {
  it.for([
    ["posix", "/home/me", "/home/me/a/b"],
    ["posix", "/home/me/", "/home/me/a/b"],
    ["posix", "/", "/a/b"],
    ["windows", "C:\\Users\\me", "C:\\Users\\me\\a\\b"],
    ["windows", "C:\\", "C:\\a\\b"],
  ] as const)("joinPath joins names below the %s directory %j", ([style, directory, expected]) => {
    expect(joinPath(style, directory, "a", "b")).toBe(expected);
  });
});

describe("isAbsolutePath", () => {
  it.for([
    ["posix", "/a", true],
    ["posix", "a", false],
    ["posix", "~/a", false],
    ["posix", "C:\\a", false],
    ["windows", "C:\\a", true],
    ["windows", "c:/a", true],
    ["windows", "C:a", false],
    ["windows", "\\\\server\\share", true],
    ["windows", "\\a", false],
  ] as const)("isAbsolutePath on %s of %j is %j", ([style, path, expected]) => {
    expect(isAbsolutePath(style, path)).toBe(expected);
  });
});

describe("abbreviateHome and expandTilde", () => {
  it.for([
    ["/home/me", "/home/me/a", "~/a"],
    ["/home/me/", "/home/me/a", "~/a"],
    ["/home/me", "/home/me", "~"],
    ["/home/me", "/home/menace/a", "/home/menace/a"],
    ["/", "/a", "/a"],
    [undefined, "/a", "/a"],
  ] as const)("abbreviateHome with the home %j shows %j as %j", ([home, path, expected]) => {
    expect(abbreviateHome("posix", path, home)).toBe(expected);
  });

  it("expandTilde restores every path that abbreviateHome shortened", () => {
    const segment = fc.stringMatching(/^[a-z~. ]{1,4}$/);
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 3 }), (segments) => {
        const path = ["/home/me", ...segments].join("/");
        expect(expandTilde("posix", abbreviateHome("posix", path, "/home/me"), "/home/me")).toBe(
          path,
        );
      }),
    );
  });

  it("expandTilde leaves another user's home and a tilde inside a name unchanged", () => {
    expect(expandTilde("posix", "~other/a", "/home/me")).toBe("~other/a");
    expect(expandTilde("posix", "a/~", "/home/me")).toBe("a/~");
  });
});
