/** What a provider is made of. */
export interface ProviderInput {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Empty for a server that takes none. */
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}
