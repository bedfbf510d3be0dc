import type { AnalyzedQuery } from "./analyzer/analyze-query.ts";
import type { Collection } from "./collection.ts";
import { wantedTest } from "./rank/filter.ts";
import { bestFor } from "./rank/best-for.ts";
import { locate } from "./rank/collection-view.ts";
import { coverageOf } from "./rank/coverage.ts";
import { findPostings } from "./rank/postings.ts";
import { rankDocuments } from "./rank/rank-documents.ts";
import type { FoundDocument, SearchOptions } from "./results.ts";
import { textAt } from "./segment/packed-texts.ts";
import { KINDS } from "./segment/segment.ts";

/** The best of the documents that stand for themselves. */
export function searchTopics(
  collection: Collection,
  { terms }: AnalyzedQuery,
  options: SearchOptions,
): readonly FoundDocument[] {
  const view = collection.view();
  const isWanted = wantedTest(view, options);
  const best = bestFor(view, { ...options, isWanted });
  const postings = findPostings(view, terms);
  const coverage = coverageOf(postings, { terms: terms.size, size: view.live });
  return rankDocuments(view, { postings, best, isWanted }).map(({ document, score }) => {
    const { open, at } = locate(view, document);
    const { segment } = open;
    const kind = KINDS[segment.kinds[at] ?? 0];
    return {
      id: open.idOf(at),
      kind: kind === "section" || kind === "skill" ? kind : "topic",
      type: textAt(segment.typeNames, segment.types[at] ?? 0) || undefined,
      updatedMs: knownTime(segment.times[at]),
      score,
      coverage: coverage(document),
    };
  });
}

export function knownTime(time: number | undefined): number | undefined {
  return time === undefined || time === -Infinity ? undefined : time;
}
