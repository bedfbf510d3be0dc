import type { AnalyzedQuery } from "../analyzer/query-terms.ts";
import type { Collection } from "./collection.ts";
import { type CollectionView, idAt, knownTime, locate } from "./rank/collection-view.ts";
import { explainDocument } from "./rank/explain-score.ts";
import { createFilter } from "./rank/filter.ts";
import { notLifted } from "./rank/newer-first.ts";
import { createCoverage, findPostings } from "./rank/postings.ts";
import { preferNewerTopics } from "./rank/prefer-newer.ts";
import { placeSuperseding } from "./rank/superseding.ts";
import { rankDocuments } from "./rank/rank-documents.ts";
import { normalizeLimit, poolSize, topListFor } from "./rank/top-list.ts";
import type { FoundDocument, SearchOptions } from "./search-result.ts";
import { textAt } from "./segment/packed-texts.ts";
import { KINDS } from "./segment/segment.ts";

/** The best documents that are ranked independently. */
export function findTopics(
  collection: Collection,
  { terms, asksAboutPast }: AnalyzedQuery,
  options: SearchOptions,
): readonly FoundDocument[] {
  const view = collection.view();
  const matches = createFilter(view, options);
  const limit = normalizeLimit(options.limit);
  const top = topListFor(view, { ...options, limit: poolSize(limit), matches });
  const postings = findPostings(view, terms);
  const { nowMs = Infinity, why } = options;
  const byScore = rankDocuments(view, { postings, top, matches });
  const ranked = asksAboutPast
    ? byScore.map(notLifted)
    : preferNewerTopics(byScore, { view, postings, terms: terms.size, nowMs });
  const coverage = createCoverage(postings, { terms: terms.size, size: view.live });
  const placed = placeSuperseding(ranked, { view, matches });
  return placed.slice(0, limit).map((hit) => {
    const { document, score, supersededBy } = hit;
    const found = { ...documentAt(view, document), coverage: coverage(document), score };
    const link = supersededBy === undefined ? {} : { supersededBy: idAt(view, supersededBy) };
    const parts = why === true ? { why: explainDocument(hit, { view, postings }) } : {};
    return Object.assign(found, link, parts);
  });
}

function documentAt(
  view: CollectionView,
  document: number,
): Pick<FoundDocument, "id" | "kind" | "type" | "updatedMs"> {
  const { open, at } = locate(view, document);
  const { segment } = open;
  const kind = KINDS[segment.kinds[at] ?? 0];
  return {
    id: open.idOf(at),
    kind: kind === "section" || kind === "skill" ? kind : "topic",
    type: textAt(segment.typeNames, segment.types[at] ?? 0) || undefined,
    updatedMs: knownTime(segment.times[at]),
  };
}
