import { isErrorNamed } from "@caliban/common";

/** The reasons why a file tool refuses or fails. */
export type FileToolErrorCode =
  | "BAD_PATH"
  | "OUTSIDE"
  | "MISSING"
  | "NOT_A_FILE"
  | "NOT_TEXT"
  | "BAD_IMAGE"
  | "NOT_READ"
  | "CHANGED"
  | "TOO_LARGE"
  | "MEMORY"
  | "DENIED"
  | "NO_MATCH"
  | "SEVERAL_MATCHES"
  | "BAD_PATTERN"
  | "UNREADABLE"
  | "UNWRITABLE"
  | "SANDBOX"
  | "BUSY"
  | "BAD_URL"
  | "PRIVATE_ADDRESS"
  | "UNREACHABLE"
  | "REDIRECTED"
  | "HTTP_STATUS"
  | "TIMED_OUT"
  | "CANCELLED";

/** A refusal for the model to read. The message says what to do next. */
export class FileToolError extends Error {
  override readonly name = "FileToolError" as const;
  readonly code: FileToolErrorCode;

  constructor(code: FileToolErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether an error is a FileToolError of this copy of the package or of another one. */
export function isFileToolError(error: unknown): error is FileToolError {
  return isErrorNamed(error, "FileToolError") && typeof error.code === "string";
}
