import { describe, expect, it } from "vitest";
import { shownScoreParts } from "../../../src/search/results/score-parts.ts";

describe("shownScoreParts", () => {
  it("shows words as in the query, with the fields that contain them, largest part first", () => {
    const parts = [
      { part: "session", score: 0.5 },
      { part: "term", term: "deploi", score: 1.23456 },
      { part: "term", term: "fridai", score: 0.1 },
    ] as const;
    const fields = [
      ["name", "deploy-checklist"],
      ["description", ""],
      ["text", "We deployed it."],
    ] as const;
    const query = "How do deployments (friday) work?";
    expect(shownScoreParts(parts, { query, fields, hidden: "tags" })).toEqual([
      { part: "term", term: "deployments", fields: ["name", "text"], score: 1.235 },
      { part: "session", score: 0.5 },
      { part: "term", term: "friday", fields: ["tags"], score: 0.1 },
    ]);
  });
});
