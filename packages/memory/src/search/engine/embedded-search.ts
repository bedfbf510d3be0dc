import { checkArguments } from "../../check-arguments.ts";
import { createSearchIndex, type SearchIndex } from "./search-index.ts";
import type { SearchDocument } from "./document.ts";
import type { SearchOptions, SearchResult } from "./search-result.ts";

/** Finds documents by words and by embeddings of the caller's model. */
export interface EmbeddedSearch {
  /** The underlying index, for methods without vectors, such as `remove`, `save` and `load`. */
  readonly index: SearchIndex;
  /** Whether the initial documents were embedded. */
  readonly embedding: EmbeddingState;
  /** Embeds and adds documents. If embedding fails, they are added without vectors and found by their words. */
  readonly add: (
    documents: Iterable<SearchDocument>,
  ) => Promise<{ readonly embedding: EmbeddingState }>;
  /** If the query cannot be embedded, it is searched for by words only, and `embedding` says so. */
  readonly search: (
    query: string,
    options?: Omit<SearchOptions, "vector">,
  ) => Promise<EmbeddedResult>;
}

interface EmbeddedResult extends SearchResult {
  readonly embedding: EmbeddingState;
}

export interface EmbeddedSearchOptions {
  readonly embed: Embed;
  readonly documents?: Iterable<SearchDocument> | undefined;
  /** An existing index; a new one if left out. Its vectors must come from the same model. */
  readonly index?: SearchIndex | undefined;
  /** How many texts are passed to `embed` at once; 32 if left out. */
  readonly batchSize?: number | undefined;
}

const DEFAULT_BATCH_SIZE = 32;
/** About as much as an embedding model reads. */
const MAX_TEXT_LENGTH = 8_000;

/**
 * Creates an index that embeds documents and queries. A failing model never affects the results by words.
 *
 * @example
 * import { createEmbeddedSearch } from "@caliban/memory/search";
 *
 * const embed = async (texts: readonly string[]) =>
 *   texts.map((text) => [Number(/kite|glider/.test(text)), Number(/oven/.test(text))]);
 * const search = await createEmbeddedSearch({ embed, documents: [{ id: "kites", body: "A kite." }] });
 * const { topics } = await search.search("glider");
 * console.log(topics[0]?.id); // kites
 */
export async function createEmbeddedSearch(
  options: EmbeddedSearchOptions,
): Promise<EmbeddedSearch> {
  checkArguments("createEmbeddedSearch", options, { embed: "function" });
  const { embed, documents = [], index = createSearchIndex() } = options;
  const { batchSize = DEFAULT_BATCH_SIZE } = options;
  let width: number | undefined;
  const embedAll = async (texts: readonly string[]) => {
    const validSize = Number.isFinite(batchSize)
      ? Math.max(1, Math.floor(batchSize))
      : DEFAULT_BATCH_SIZE;
    const embedded = await embedTexts(texts, { embed, batchSize: validSize, width });
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
    search: async (query, filters = {}) => {
      const text = truncate(query);
      if (text === "") return { ...index.search(query, filters), embedding: EMPTY_QUERY };
      const { vectors, embedding: state } = await embedAll([text]);
      return { ...index.search(query, { ...filters, vector: vectors[0] }), embedding: state };
    },
  };
}

const EMPTY_QUERY: EmbeddingState = "failed: the query is empty";

function withVector(
  document: SearchDocument,
  vector: ArrayLike<number> | undefined,
): SearchDocument {
  return vector === undefined ? document : { ...document, vector };
}

function textOf({ name, description, body, facts }: SearchDocument): string {
  const parts = [name, description, body, facts];
  return truncate(parts.filter((part) => part !== undefined && part !== "").join("\n"));
}

function truncate(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed().trim();
}

/** Embeds texts with the caller's model: one vector per text, in the same order. */
export type Embed = (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]>;

/** Whether vectors were used, or why not. */
type EmbeddingState = "used" | `failed: ${string}`;

interface EmbeddedTexts {
  /** One per text; fewer if a batch failed. */
  readonly vectors: readonly ArrayLike<number>[];
  readonly embedding: EmbeddingState;
}

interface EmbedTextsOptions {
  readonly embed: Embed;
  /** The maximum number of texts per call. */
  readonly batchSize: number;
  /** The required dimension. If it is unknown, the first vector determines it. */
  readonly width: number | undefined;
}

/** Embeds texts in batches, one after the other, and stops at the first failing batch. Never rejects. */
async function embedTexts(
  texts: readonly string[],
  { embed, batchSize, width }: EmbedTextsOptions,
): Promise<EmbeddedTexts> {
  const vectors: ArrayLike<number>[] = [];
  for (let at = 0; at < texts.length; at += batchSize) {
    const batch = await embedBatch(texts.slice(at, at + batchSize), embed);
    const reason = typeof batch === "string" ? batch : findFlaw(batch, width ?? vectors[0]?.length);
    if (typeof batch === "string" || reason !== undefined)
      return { vectors, embedding: `failed: ${reason}` };
    vectors.push(...batch);
  }
  return { vectors, embedding: "used" };
}

/** The vectors, or the reason why there are none. */
async function embedBatch(
  texts: readonly string[],
  embed: Embed,
): Promise<readonly ArrayLike<number>[] | string> {
  try {
    const vectors = await embed(texts);
    if (vectors.length === texts.length) return vectors;
    return `embed returned ${vectors.length} vectors for ${texts.length} texts`;
  } catch (error) {
    // Any failure belongs to the caller's model; the search by words still works.
    return error instanceof Error ? error.message : String(error);
  }
}

function findFlaw(
  batch: readonly ArrayLike<number>[],
  known: number | undefined,
): string | undefined {
  const width = known ?? batch[0]?.length ?? 0;
  const other = batch.find(({ length }) => length !== width);
  if (other !== undefined)
    return `embed returned vectors of different dimensions: ${width} and ${other.length}`;
  if (width === 0) return "embed returned an empty vector";
  const isInvalid = batch.some((vector) => !Array.from(vector).every(Number.isFinite));
  return isInvalid ? "embed returned a vector with a value that is not a finite number" : undefined;
}
