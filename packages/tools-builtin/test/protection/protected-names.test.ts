import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  isProtectedEntry,
  PROTECTED_GROUPS,
  protectedDirectoryReason,
  protectedFileReason,
} from "../../src/protection/protected-names.ts";

const NAMES = PROTECTED_GROUPS.flatMap(({ files, directories }) => [...files, ...directories]);

describe("the list of protected names", () => {
  it("matches every name of the list in any directory, case and spelling", () => {
    for (const { files, directories } of PROTECTED_GROUPS) {
      for (const name of files) {
        expect(protectedFileReason(`deep/${name.toUpperCase()}`)).toContain(name.toUpperCase());
        expect(protectedFileReason(`deep/${name}.`)).toContain(name);
        expect(protectedFileReason(`deep/${name}.bak`)).toBeUndefined();
      }
      for (const name of directories) {
        for (const path of [name, `${name}/x`, `a/${name}/b/c`]) {
          expect(protectedDirectoryReason(path)).toContain(name);
        }
        expect(protectedDirectoryReason(`a/x${name}/b`)).toBeUndefined();
      }
    }
  });

  it("recognizes an entry by its last parts alone", () => {
    for (const name of NAMES) {
      expect(isProtectedEntry(name)).toBe(true);
      expect(isProtectedEntry(`some/where/${name.toUpperCase()}.`)).toBe(true);
      expect(isProtectedEntry(`${name}/x`)).toBe(false);
      expect(isProtectedEntry(`some/x${name}`)).toBe(false);
    }
    expect(isProtectedEntry(".g\u200Cit")).toBe(true);
    expect(isProtectedEntry(".github")).toBe(false);
    expect(isProtectedEntry("workflows")).toBe(false);
  });

  it("names each entry once, with at most two parts", () => {
    expect(new Set(NAMES.map((name) => name.toLowerCase())).size).toBe(NAMES.length);
    expect(NAMES.filter((name) => name.split("/").length > 2)).toEqual([]);
  });

  it("matches docs/permissions.md", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/permissions.md"), "utf8");
    // A short name for a name that only Windows knows.
    const undocumented = NAMES.filter((name) => name !== "git~1" && !page.includes(`\`${name}`));
    expect(undocumented).toEqual([]);
  });
});
