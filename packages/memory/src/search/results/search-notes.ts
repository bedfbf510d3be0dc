import type { SearchResult } from "../engine/search-result.ts";
import type { MemorySearchRequest } from "./results.ts";

/** What a user should know about a search, as full sentences. `embedding` says whether vectors were used, if there are any. */
export function notesOn(
  {
    isTruncated,
    hasOnlyStopWords,
    terms,
    embedding = "used",
  }: SearchResult & { readonly embedding?: string },
  { kind, type }: MemorySearchRequest,
): readonly string[] {
  const notes: string[] = [];
  if (isTruncated) notes.push("The query is too long; only its start was searched for.");
  if (embedding !== "used") notes.push(`Searched by words only, because embedding ${embedding}.`);
  if (terms.length === 0) notes.push("The query has no word to search for.");
  else if (hasOnlyStopWords) {
    notes.push(
      "The query has only very common words; they were searched for in names, descriptions and tags only.",
    );
  }
  if (kind === "sessions" && type !== undefined) {
    notes.push("Sessions have no type; leave out type to find them.");
  }
  return notes;
}
