/** The texts of a request, and the form of its answer. */
export interface PromptRequest {
  readonly system: string;
  readonly input: string;
  /** JSON Schema of the answer, for providers with structured output. */
  readonly schema: JsonSchema;
}

/** Plain JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;
