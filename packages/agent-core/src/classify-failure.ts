import { APICallError } from "@ai-sdk/provider";
import type { ModelFailure } from "./model-failure.ts";

/** PROVISIONAL, written by the lead so that others can run: the helper on providers replaces this file. */
export function classifyFailure(error: unknown, model: string): ModelFailure {
  const statusCode = APICallError.isInstance(error) ? error.statusCode : undefined;
  const isTransient = statusCode === undefined || statusCode === 429 || statusCode >= 500;
  return { code: "server", sentence: `${model} failed: ${String(error)}`, statusCode, isTransient };
}
