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
