import { describe, expect, it } from "vitest";
import { BASE_FORMS } from "../../../src/search/analyzer/irregular-forms.ts";
import { searchTerms } from "../../../src/search/analyzer/query-terms.ts";

describe("irregular forms", () => {
  it.each([
    ["bought", "buy"],
    ["ran", "running"],
    ["children", "child's"],
    ["took", "takes"],
    ["won", "winning"],
  ])("searches %j and %j by the same term", (one, other) => {
    expect(searchTerms(one)).toEqual(searchTerms(other));
  });

  it("keeps ignoring contractions", () => {
    expect(searchTerms("we won't, they don't")).toEqual([]);
  });

  it("lists no base form that is itself irregular", () => {
    const bases = new Set(BASE_FORMS.values());
    expect([...BASE_FORMS.keys()].filter((form) => bases.has(form))).toEqual([]);
  });
});
