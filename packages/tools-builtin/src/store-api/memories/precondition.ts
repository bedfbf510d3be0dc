import { StoreApiError } from "../request/api-answer.ts";
import type { RequestFields } from "../request/api-request.ts";
import { isRecord } from "@caliban/common";

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * The hash that the content must have for an update.
 * @throws StoreApiError for a precondition that is not one
 */
export function parsePrecondition(body: RequestFields): string | undefined {
  if (!body.has("precondition")) return undefined;
  const given = body.value("precondition");
  const { type, content_sha256: sha256 } = isRecord(given) ? given : {};
  if (type === "content_sha256" && typeof sha256 === "string" && SHA256.test(sha256)) return sha256;
  throw invalid(
    'precondition must be {"type": "content_sha256", "content_sha256": "…"} with 64 lowercase hexadecimal digits',
  );
}

/** @throws StoreApiError for a hash that is not one */
export function parseExpectedSha(query: RequestFields): string | undefined {
  const sha256 = query.text("expected_content_sha256");
  if (sha256 === undefined || SHA256.test(sha256)) return sha256;
  throw invalid("expected_content_sha256 must be 64 lowercase hexadecimal digits");
}

export function preconditionFailed(): StoreApiError {
  const message = "the memory has another content now; read it, and decide again";
  return new StoreApiError("memory_precondition_failed_error", message);
}

function invalid(message: string): StoreApiError {
  return new StoreApiError("invalid_request_error", message);
}
