import { isErrorNamed } from "@caliban/common";
import { isMemoryError, type MemoryError } from "@caliban/memory";

/** What is sent back, as JSON. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: object;
  /** Whether the same request can succeed later. Clients of this API repeat requests by themselves. */
  readonly canRetry?: boolean | undefined;
}

export function answer(body: object, status = 200): ApiAnswer {
  return { status, body };
}

/** The kinds of errors, as clients of this API know them. */
export type ApiErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "memory_path_conflict_error"
  | "memory_precondition_failed_error"
  | "request_too_large"
  | "rate_limit_error"
  | "api_error"
  | "overloaded_error";

const STATUS: Readonly<Record<ApiErrorType, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  memory_path_conflict_error: 409,
  memory_precondition_failed_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 503,
};

/** A request that cannot be carried out. */
export class StoreApiError extends Error {
  override readonly name = "StoreApiError" as const;
  readonly code: ApiErrorType;
  /** More about it, for programs. */
  readonly details: Readonly<Record<string, string>>;

  constructor(code: ApiErrorType, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

function isStoreApiError(error: unknown): error is StoreApiError {
  return isErrorNamed(error, "StoreApiError") && typeof error.code === "string";
}

/** The answer to a request that failed. */
export function errorAnswer(
  type: ApiErrorType,
  message: string,
  details: Readonly<Record<string, string>> = {},
): ApiAnswer {
  const status = STATUS[type];
  const body = { type: "error", error: { type, message, ...details } };
  return { status, body, canRetry: status === 503 };
}

/** The answer for an expected error; `undefined` for a bug. */
export function answerForError(error: unknown): ApiAnswer | undefined {
  if (isStoreApiError(error)) return errorAnswer(error.code, error.message, error.details);
  if (isMemoryError(error)) return errorAnswer(typeOf(error), error.message);
  return undefined;
}

function typeOf({ code }: MemoryError): ApiErrorType {
  if (UNAVAILABLE.has(code)) return "overloaded_error";
  if (code === "FORGOTTEN") return "permission_error";
  if (code === "WRITE_LIMIT" || code === "INBOX_FULL") return "rate_limit_error";
  return BROKEN.has(code) ? "api_error" : "invalid_request_error";
}

const UNAVAILABLE: ReadonlySet<string> = new Set(["STORE_BUSY", "STORE_UNAVAILABLE"]);
const BROKEN: ReadonlySet<string> = new Set([
  "INVALID_BACKEND",
  "INVALID_SETTINGS",
  "NO_MEMORY_DIRECTORY",
  "STORE_INCOMPATIBLE",
  "UNKNOWN_PROJECT",
  "UNWRITABLE",
]);
