import { createSearchIndex, type SearchIndex } from "./search-index.ts";
import type { SearchDocument } from "./document.ts";
import { type Embed, type EmbeddingState, embedTexts } from "./embed-texts.ts";
import type { SearchOptions, SearchResult } from "./results.ts";

/** Finds documents by words and by what a model of the caller's makes of them. */
export interface EmbeddedSearch {
  /** What is searched: for all that needs no vectors, as `remove`, `save` and `load`. */
  readonly index: SearchIndex;
  /** What became of the documents it was created with. */
  readonly embedding: EmbeddingState;
  /** Adds documents with their vectors. What could not be embedded is added without, and found by its words. */
  readonly add: (
    documents: Iterable<SearchDocument>,
  ) => Promise<{ readonly embedding: EmbeddingState }>;
  /** Finds by words alone where the query could not be embedded, and says so. */
  readonly search: (
    query: string,
    options?: Omit<SearchOptions, "vector">,
  ) => Promise<EmbeddedResult>;
}

export interface EmbeddedResult extends SearchResult {
  readonly embedding: EmbeddingState;
}

export interface EmbeddedSearchOptions {
  readonly embed: Embed;
  readonly documents?: Iterable<SearchDocument> | undefined;
  /** One that is there already; a new one when left out. Its vectors must be of the same model. */
  readonly index?: SearchIndex | undefined;
  /** How many texts `embed` is given at once; 32 when left out. */
  readonly batchSize?: number | undefined;
}

const DEFAULT_BATCH_SIZE = 32;
/** About as much as a model reads of a text. */
const LONGEST_TEXT = 8_000;

/** An index whose documents and queries are embedded on the way. A model that fails never costs what is found by words. */
export async function createEmbeddedSearch({
  embed,
  documents = [],
  index = createSearchIndex(),
  batchSize = DEFAULT_BATCH_SIZE,
}: EmbeddedSearchOptions): Promise<EmbeddedSearch> {
  let width: number | undefined;
  const embedAll = async (texts: readonly string[]) => {
    const wholeSize = Number.isFinite(batchSize)
      ? Math.max(1, Math.floor(batchSize))
      : DEFAULT_BATCH_SIZE;
    const embedded = await embedTexts(texts, { embed, batchSize: wholeSize, width });
    width ??= embedded.vectors[0]?.length;
    return embedded;
  };
  const add: EmbeddedSearch["add"] = async (more) => {
    const all = [...more];
    const bare = all.filter((each) => each.vector === undefined && textOf(each) !== "");
    const { vectors, embedding } = await embedAll(bare.map(textOf));
    const vectorOf = new Map(bare.map((document, at) => [document, vectors[at]]));
    index.add(all.map((each) => withVector(each, vectorOf.get(each))));
    return { embedding };
  };
  const { embedding } = await add(documents);
  return {
    index,
    embedding,
    add,
    search: async (query, options = {}) => {
      const text = cut(query);
      if (text === "") return { ...index.search(query, options), embedding: NOTHING_ASKED };
      const { vectors, embedding: state } = await embedAll([text]);
      return { ...index.search(query, { ...options, vector: vectors[0] }), embedding: state };
    },
  };
}

const NOTHING_ASKED: EmbeddingState = "failed: the query is empty";

function withVector(
  document: SearchDocument,
  vector: ArrayLike<number> | undefined,
): SearchDocument {
  return vector === undefined ? document : { ...document, vector };
}

function textOf({ name, description, body, facts }: SearchDocument): string {
  const parts = [name, description, body, facts];
  return cut(parts.filter((part) => part !== undefined && part !== "").join("\n"));
}

function cut(text: string): string {
  return text.slice(0, LONGEST_TEXT).toWellFormed().trim();
}
