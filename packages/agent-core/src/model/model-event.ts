import type { Usage } from "../message.ts";
import type { ModelFailure } from "./model-failure.ts";

/** Something that happens while the model is answering. */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  /** The tokens that one request used. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** The request failed and is sent again after a delay. Discard what was shown of the failed answer. */
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly delayMs: number;
      readonly failure: ModelFailure;
    };
