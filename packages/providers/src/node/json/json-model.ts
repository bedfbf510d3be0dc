import type { Answer, ModelFailure } from "@caliban/agent-core";
import type { Environment } from "@caliban/common";
import type { ResolvedModel } from "../../resolve-model.ts";
import type { OpenedModel } from "./ask-for-json.ts";

/** A model that is asked for JSON, one request at a time. */
export type JsonModel = (request: JsonRequest) => Promise<JsonReply>;

export interface JsonRequest {
  readonly system: string;
  readonly input: string;
  /** JSON Schema of the answer, and a name for it. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly schemaName: string;
  readonly signal: AbortSignal;
}

/** The end of a request, and what it cost where that is known. */
export type JsonReply = { readonly usage?: JsonUsage | undefined } & (
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly finishReason: Answer["finishReason"];
    }
  | { readonly kind: "failed"; readonly failure: ModelFailure }
  /** The answer was aborted because it did not end. */
  | { readonly kind: "too-long" }
  | { readonly kind: "interrupted" }
);

export interface JsonUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface JsonModelInput {
  readonly env: Environment;
  /** Masked wherever a provider repeats them. */
  readonly secrets: readonly string[];
}

/**
 * A model that answers JSON. It is opened with the first request. Once its provider has rejected the schema, it is asked
 * without one.
 */
export function createJsonModel(resolved: ResolvedModel, input: JsonModelInput): JsonModel {
  let opening: Promise<OpenedModel> | undefined;
  let withSchema = true;
  return async (request) => {
    const { askForJson, openForJson } = await import("./ask-for-json.ts");
    opening ??= openForJson(resolved, input);
    const opened = await opening;
    if (!withSchema) return await askForJson(opened, request, "prose");
    const reply = await askForJson(opened, request, "schema");
    if (reply.kind !== "failed" || !isFormatRejected(reply.failure)) return reply;
    withSchema = false;
    return await askForJson(opened, request, "prose");
  };
}

// Providers report a rejected format only in the text of a "bad request".
const ABOUT_FORMAT =
  /response_?format|json_?(?:schema|object|mode)|schema|structured|output_config|\bformat\b|\bjson\b/i;

function isFormatRejected({ code, message }: ModelFailure): boolean {
  return code === "bad-request" && ABOUT_FORMAT.test(message);
}
