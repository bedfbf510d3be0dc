import { MemoryError } from "@caliban/memory";

export type FailurePhase = "connect" | "statement" | "timeout";

/** A failure of the connection or the server, without anything secret. It becomes the `cause` of a MemoryError. */
export class PostgresFailure extends Error {
  override readonly name = "PostgresFailure" as const;
  readonly phase: FailurePhase;
  /** Of the server (SQLSTATE), or of the system, such as `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(phase: FailurePhase, detail: { readonly message: string; readonly code?: string }) {
    super(detail.message);
    this.phase = phase;
    this.code = detail.code;
  }
}

export function isPostgresFailure(error: unknown): error is PostgresFailure {
  return error instanceof Error && error.name === "PostgresFailure";
}

/** Copies what may be shown of an error of the driver. Its other fields can contain the URL or the text of a topic. */
export function toFailure(
  error: unknown,
  { phase, secrets }: { readonly phase: FailurePhase; readonly secrets: readonly string[] },
): PostgresFailure {
  const { message, code } = fieldsOf(error);
  const isSecret = secrets.some((secret) => secret !== "" && message.includes(secret));
  const shown = isSecret || message === "" ? (code ?? "unknown error") : message.slice(0, 300);
  return new PostgresFailure(phase, {
    message: shown,
    ...(code === undefined ? {} : { code }),
  });
}

function fieldsOf(error: unknown): { readonly message: string; readonly code: string | undefined } {
  if (!(error instanceof Error)) return { message: "", code: undefined };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { message: error.message, code };
}

/** Whether the connection, or the whole server, ended before it could answer. */
export function isLost({ phase, code }: PostgresFailure): boolean {
  if (phase === "timeout") return false;
  if (!isSqlState(code)) return phase === "statement";
  // 57P03: the server starts or recovers. The other two end all of its connections.
  return code.startsWith("08") || ["57P01", "57P02", "57P03"].includes(code);
}

/** Whether the server gave up one of two transactions for the other. */
export function isSerializationFailure({ code }: PostgresFailure): boolean {
  return code === "40001" || code === "40P01";
}

/** Whether a table is missing: no one has run `migrate`. */
export function isMissingTable({ code }: PostgresFailure): boolean {
  return code === "42P01" || code === "3F000";
}

function isSqlState(code: string | undefined): code is string {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);
}

/** The error for callers. */
export function toMemoryError(failure: PostgresFailure): MemoryError {
  return new MemoryError("STORE_UNAVAILABLE", explain(failure), { cause: failure });
}

function explain(failure: PostgresFailure): string {
  const { phase, code, message } = failure;
  if (phase === "timeout") return `PostgreSQL ${message}`;
  if (code === "28P01" || code === "28000") {
    return `PostgreSQL refused the user or the password (${code}). Check the URL.`;
  }
  if (code === "3D000") return `PostgreSQL has no such database (${code}). Check the URL.`;
  if (code === "57014") return "PostgreSQL took too long; another writer may hold the lock";
  if (isLost(failure)) return `lost the connection to PostgreSQL (${code ?? message})`;
  if (phase === "connect") {
    return `cannot connect to PostgreSQL (${code ?? message}). Check that the server is running, and the URL.`;
  }
  return `PostgreSQL reported ${code ?? "an error"}: ${message}`;
}
