import { isRecord } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { ServerFailure, isServerFailure } from "../../client/server-failure.ts";
import { sanitizeLine } from "../../client/untrusted.ts";

export interface FailureContext {
  /** The method of the protocol that was called. */
  readonly method: string;
  /** What the transport knows about its end. */
  readonly reason: ServerFailure | undefined;
  /** Whether the user interrupted the request, which looks like a timeout otherwise. */
  readonly isInterrupted: boolean;
}

const MAX_LINE_CHARACTERS = 300;

/** Turns whatever the SDK throws into a failure of the server. */
export function toServerFailure(error: unknown, context: FailureContext): ServerFailure {
  const { reason, method } = context;
  if (isServerFailure(error)) return error;
  if (context.isInterrupted)
    return new ServerFailure("INTERRUPTED", "the call was interrupted", { cause: error });
  const timeoutMs = timeoutOf(error);
  if (timeoutMs !== undefined) {
    const seconds = (timeoutMs / 1_000).toLocaleString("en-US");
    const message = `did not answer ${method} within ${seconds} seconds`;
    return new ServerFailure("NO_ANSWER", message, { cause: error });
  }
  if (reason !== undefined) return new ServerFailure(reason.code, reason.message, { cause: error });
  if (error === undefined || hasProtocolCode(error, ErrorCode.ConnectionClosed))
    return new ServerFailure("ENDED", "closed the connection", { cause: error });
  if (error instanceof McpError) {
    const serverMessage = error.message.replace(/^MCP error -?\d+: /, "");
    const message = `rejected ${method} (${error.code}): ${shown(serverMessage)}`;
    return new ServerFailure("REFUSED", message, { cause: error, serverMessage });
  }
  if (error instanceof StreamableHTTPError) return httpFailure(error, method);
  if (isNetworkError(error))
    return new ServerFailure("NOT_STARTED", `cannot be reached: ${networkReason(error)}`, {
      cause: error,
    });
  const why = error instanceof Error ? error.message : "unknown error";
  return new ServerFailure("BAD_ANSWER", `invalid answer to ${method}: ${shown(why)}`, {
    cause: error,
  });
}

function shown(text: string): string {
  return sanitizeLine(text, MAX_LINE_CHARACTERS);
}

function hasProtocolCode(error: unknown, code: number): error is McpError {
  return error instanceof McpError && error.code === code;
}

/** Set by the SDK only; a server's own error with the same code has no timeout. */
function timeoutOf(error: unknown): number | undefined {
  if (!hasProtocolCode(error, ErrorCode.RequestTimeout)) return undefined;
  const timeout = isRecord(error.data) ? error.data["timeout"] : undefined;
  return typeof timeout === "number" ? timeout : undefined;
}

function httpFailure(error: StreamableHTTPError, method: string): ServerFailure {
  const { code = -1 } = error;
  if (code === 404 && method !== "initialize")
    return new ServerFailure("ENDED", "no longer knows the session", { cause: error });
  const text = error.message.replace(
    /^Streamable HTTP error: (?:Error POSTing to endpoint: )?/,
    "",
  );
  const hint =
    code === 401 || code === 403 ? "; set token_env to the variable that holds its token" : "";
  const status = code === -1 ? "HTTP error" : `HTTP ${code}`;
  const message = `answered with ${status}: ${shown(text) || "no message"}${hint}`;
  return new ServerFailure("REFUSED", message, { cause: error });
}

/** `fetch` only says that it failed, and has the reason as its cause. */
function isNetworkError(error: unknown): error is Error {
  return error instanceof TypeError && /^(?:fetch failed|terminated)/.test(error.message);
}

function networkReason({ cause, message }: Error): string {
  // When several addresses failed, the error has a code but no message.
  const reason = cause instanceof Error ? cause.message || errorCode(cause) : undefined;
  return shown(reason ?? message);
}
