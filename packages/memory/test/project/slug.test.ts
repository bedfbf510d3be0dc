import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { workspaceSlug } from "../../src/project/slug.ts";

const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex");

it.for([
  ["/Users/jf/dev/caliban", "Users-jf-dev-caliban"],
  ["/home/jf/work/foo bar", "home-jf-work-foo_bar"],
  ["/", "root"],
  ["C:\\src\\app", "C-src-app"],
  ["C:/src/app", "C-src-app"],
  ["\\\\server\\share\\app", "server-share-app"],
  ["/a/b.c_d-e", "a-b.c_d-e"],
  ["/a/日本/🙂", "a-__-_"],
  ["/a\\b", "a_b"],
  ["/a/..b\n", "a-..b_"],
] as const)("turns the path %j into the directory name %j", ([path, slug]) => {
  expect(workspaceSlug(path, sha256Hex)).toBe(slug);
});

it("shortens long paths to 200 bytes that still differ", () => {
  const slugs = ["x", "y"].map((end) => workspaceSlug(`/${"long/".repeat(60)}${end}`, sha256Hex));
  expect(new Set(slugs).size).toBe(2);
  for (const slug of slugs) {
    expect(slug).toHaveLength(200);
    expect(slug).toMatch(/-[0-9a-f]{8}$/);
  }
});

it("turns any path into a safe name of at most 200 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (path) => {
      expect(workspaceSlug(`/${path}`, sha256Hex)).toMatch(/^[A-Za-z0-9._-]{1,200}$/);
    }),
  );
});
