/** The parts of caliban's request that the other programs send, too. */
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
