import { createSearchIndex, type SearchIndex } from "./search-index.ts";
import type { SearchDocument } from "./document.ts";
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

/** Turns texts into vectors, as many and in the same order: a model of the caller's. */
export type Embed = (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]>;

/** Whether vectors were used, or why they could not be. */
export type EmbeddingState = "used" | `failed: ${string}`;

export interface EmbeddedTexts {
  /** As many as texts, or fewer where it failed on the way. */
  readonly vectors: readonly ArrayLike<number>[];
  readonly embedding: EmbeddingState;
}

export interface EmbedTextsOptions {
  readonly embed: Embed;
  /** How many texts a call has at most. */
  readonly batchSize: number;
  /** Which width vectors must have; any, but all the same, where nobody knows yet. */
  readonly width: number | undefined;
}

/** Embeds texts in batches, one after the other. The first batch that fails is the last that is tried. Never rejects. */
export async function embedTexts(
  texts: readonly string[],
  { embed, batchSize, width }: EmbedTextsOptions,
): Promise<EmbeddedTexts> {
  const vectors: ArrayLike<number>[] = [];
  for (let at = 0; at < texts.length; at += batchSize) {
    // oxlint-disable-next-line no-await-in-loop -- a model is not asked for everything at once
    const batch = await embedBatch(texts.slice(at, at + batchSize), embed);
    const why = typeof batch === "string" ? batch : unfit(batch, width ?? vectors[0]?.length);
    if (typeof batch === "string" || why !== undefined)
      return { vectors, embedding: `failed: ${why}` };
    vectors.push(...batch);
  }
  return { vectors, embedding: "used" };
}

/** The vectors, or why there are none. */
async function embedBatch(
  texts: readonly string[],
  embed: Embed,
): Promise<readonly ArrayLike<number>[] | string> {
  try {
    const vectors = await embed(texts);
    if (vectors.length === texts.length) return vectors;
    return `embed gave ${vectors.length} vectors for ${texts.length} texts`;
  } catch (error) {
    // Whatever went wrong is the caller's: what is found by words is found all the same.
    return error instanceof Error ? error.message : String(error);
  }
}

function unfit(batch: readonly ArrayLike<number>[], known: number | undefined): string | undefined {
  const width = known ?? batch[0]?.length ?? 0;
  const other = batch.find(({ length }) => length !== width);
  if (other !== undefined) return `embed gave a vector of ${other.length} numbers beside ${width}`;
  if (width === 0) return "embed gave a vector without numbers";
  const isOdd = batch.some((vector) => !Array.from(vector).every(Number.isFinite));
  return isOdd ? "embed gave a vector with something that is no number" : undefined;
}
