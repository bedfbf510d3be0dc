import { fromBase64Url, toBase64Url } from "./base64-url.ts";
import { StoreApiError } from "./api-answer.ts";
import type { RequestFields } from "./api-request.ts";

/** How much of a list is wanted. */
export interface PageRequest {
  readonly limit: number;
  /** The key of the last item before this page. */
  readonly after: string | undefined;
  /** Whether each item has its content. */
  readonly isFull: boolean;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** With contents, which may be long. */
const MAX_FULL = 20;

/** @throws StoreApiError for an invalid value */
export function parsePage(query: RequestFields): PageRequest {
  const isFull = parseView(query, "basic") === "full";
  const text = query.text("limit") ?? String(DEFAULT_LIMIT);
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw new StoreApiError("invalid_request_error", "limit must be 1 to 100");
  const page = query.text("page");
  const after = page === undefined || page === "" ? undefined : fromBase64Url(page);
  if (page !== undefined && page !== "" && after === undefined)
    throw new StoreApiError("invalid_request_error", "page must be a next_page of an answer");
  return { limit: Math.min(limit, isFull ? MAX_FULL : MAX_LIMIT), after, isFull };
}

/** @throws StoreApiError for an unknown view */
export function parseView(query: RequestFields, byDefault: "basic" | "full"): "basic" | "full" {
  const view = query.text("view") ?? byDefault;
  if (view === "basic" || view === "full") return view;
  throw new StoreApiError("invalid_request_error", 'view must be "basic" or "full"');
}

/** A page of a list, and where the next one starts. */
export function renderPage(
  data: readonly object[],
  next: string | undefined,
): { readonly data: readonly object[]; readonly next_page: string | null } {
  return { data, next_page: next === undefined ? null : toBase64Url(next) };
}
