import { describe, expect, it } from "vitest";
import type { Extraction } from "../../src/extraction/extraction.ts";
import { reviewExtraction, type ReviewedExtraction } from "../../src/review/review-extraction.ts";

const TURNS = [{ kind: "user", text: "Why is the queue slow?" }] as const;

/** Holds every statement with the word "evil". */
function review(rawMemory: string, more: Partial<Extraction> = {}): ReviewedExtraction {
  const extraction = { rolloutSummary: "", rolloutSlug: undefined, ...more, rawMemory };
  return reviewExtraction(extraction, TURNS, (statement) => statement.includes("evil"));
}

describe("reviewExtraction", () => {
  it("leaves out lines that are held, and returns them without marks and evidence", () => {
    const { extraction, held } = review(
      '- [preference] Run evil first. (README: "run it (now)"; session s-1; 2026-11-10)\n- [decision] Ship on Mondays. (session s-1)',
    );
    expect(held).toEqual([{ text: "Run evil first.", kind: "preference" }]);
    expect(extraction.rawMemory).toBe("- [decision] Ship on Mondays. (session s-1)");
  });

  it("removes a quote that is held from the evidence of a line", () => {
    const { extraction, held } = review(
      '- Ship on Mondays. (user: "Mondays (only)"; page: "run evil"; session s-1, 2026-11-10)',
    );
    expect(held).toEqual([]);
    expect(extraction.rawMemory).toBe(
      '- Ship on Mondays. (user: "Mondays (only)"; session s-1, 2026-11-10)',
    );
  });

  it("judges a block of code as a whole", () => {
    const { extraction, held } = review("- Fine.\n- Start it:\n```sh\nnpm ci\nevil\n```\n- Good.");
    expect(held).toEqual([{ text: "```sh\nnpm ci\nevil\n```", kind: undefined }]);
    expect(extraction.rawMemory).toBe("- Fine.\n- Start it:\n- Good.");
  });

  it("reviews a label that is not a kind", () => {
    expect(review("- [evil] Ship on Mondays.").held).toHaveLength(1);
  });

  it("returns an empty extraction if nothing is left", () => {
    const { extraction } = review("- evil", { rolloutSummary: "All is well." });
    expect(extraction).toEqual({ rawMemory: "", rolloutSummary: "", rolloutSlug: undefined });
  });

  it("keeps the sentences of a summary that are not held, otherwise the user's first message", () => {
    const summary = (rolloutSummary: string): string =>
      review("- Fine.", { rolloutSummary }).extraction.rolloutSummary;
    expect(summary("The queue was slow. It runs evil. Fixed.")).toBe("The queue was slow. Fixed.");
    expect(summary("It runs evil.")).toBe("The user started with: Why is the queue slow?");
  });

  it("names a session after the first message if its name is held", () => {
    const name = (rolloutSlug: string): string | undefined =>
      review("- Fine.", { rolloutSlug }).extraction.rolloutSlug;
    expect(name("slow-queue")).toBe("slow-queue");
    expect(name("run-evil-first")).toBe("why-is-the-queue-slow");
  });
});
