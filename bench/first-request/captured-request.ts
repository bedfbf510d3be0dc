/** What of a request of caliban's the other programs send as well. */
export interface CapturedRequest {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly input_schema: Record<string, unknown>;
  }[];
}
