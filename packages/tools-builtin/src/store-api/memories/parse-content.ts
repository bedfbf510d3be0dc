import { MAX_BODY_BYTES } from "@caliban/memory";
import { utf8Bytes } from "@caliban/common";
import { StoreApiError } from "../request/api-answer.ts";
import type { RequestFields } from "../request/api-request.ts";

/**
 * The content of a request; `undefined` if it was left out.
 * @throws StoreApiError for one that could not be returned as it is
 */
export function parseContent(body: RequestFields): string | undefined {
  if (!body.has("content")) return undefined;
  const content = body.text("content");
  if (content === undefined)
    throw new StoreApiError("invalid_request_error", "content must be a string");
  if (content.toWellFormed() !== content)
    throw new StoreApiError("invalid_request_error", "content has half of a surrogate pair");
  const bytes = utf8Bytes(content);
  if (bytes <= MAX_BODY_BYTES) return content;
  const message = `content has ${bytes} bytes; the limit is ${MAX_BODY_BYTES}. Split it into several memories`;
  throw new StoreApiError("invalid_request_error", message);
}
