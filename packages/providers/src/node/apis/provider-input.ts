/** What every provider is created from. */
export interface ProviderInput {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Empty for a server that needs no key. */
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}
