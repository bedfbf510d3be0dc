import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { errorCode } from "@caliban/common/node";
import { isRecord } from "@caliban/common";
import { ServerFailure } from "../../client/server-failure.ts";
import { sanitizeLine } from "../../client/untrusted.ts";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

export interface FailureContext {
  /** The method of the protocol that was asked for. */
  readonly what: string;
  /** What the transport knows about its end. */
  readonly reason: ServerFailure | undefined;
  /** Whether the person ended it: it comes the same way as a time that is over. */
  readonly isInterrupted: boolean;
}

const LINE_CHARACTERS = 300;

/** Whatever the SDK throws, as a sentence about the server. */
export function toServerFailure(error: unknown, context: FailureContext): ServerFailure {
  const { reason, what } = context;
  if (error instanceof ServerFailure) return error;
  if (context.isInterrupted) {
    return new ServerFailure("INTERRUPTED", "the call was interrupted", { cause: error });
  }
  const timeoutMs = timeoutOf(error);
  if (timeoutMs !== undefined) {
    const seconds = (timeoutMs / 1_000).toLocaleString("en-US");
    const words = `it did not answer ${what} within ${seconds} seconds`;
    return new ServerFailure("NO_ANSWER", words, { cause: error });
  }
  if (reason !== undefined) return new ServerFailure(reason.code, reason.message, { cause: error });
  if (error === undefined || isCode(error, ErrorCode.ConnectionClosed)) {
    return new ServerFailure("ENDED", "it closed the connection", { cause: error });
  }
  if (error instanceof McpError) {
    const said = error.message.replace(/^MCP error -?\d+: /, "");
    const words = `it refused ${what} (${error.code}): ${sanitizeLine(said, LINE_CHARACTERS)}`;
    return new ServerFailure("REFUSED", words, { cause: error, said });
  }
  if (error instanceof StreamableHTTPError) return httpFailure(error, what);
  if (isNetworkError(error)) {
    return new ServerFailure("NOT_STARTED", `it cannot be reached: ${networkWords(error)}`, {
      cause: error,
    });
  }
  const words = error instanceof Error ? error.message : "something that is no error";
  return new ServerFailure(
    "BAD_ANSWER",
    `its answer to ${what} is not what the protocol has: ${sanitizeLine(words, LINE_CHARACTERS)}`,
    { cause: error },
  );
}

function isCode(error: unknown, code: number): error is McpError {
  return error instanceof McpError && error.code === code;
}

/** The SDK puts it there; an error of the server's own with the same number has none. */
function timeoutOf(error: unknown): number | undefined {
  if (!isCode(error, ErrorCode.RequestTimeout)) return undefined;
  const timeout = isRecord(error.data) ? error.data["timeout"] : undefined;
  return typeof timeout === "number" ? timeout : undefined;
}

function httpFailure(error: StreamableHTTPError, what: string): ServerFailure {
  const { code = -1 } = error;
  if (code === 404 && what !== "initialize") {
    return new ServerFailure("ENDED", "it has forgotten the session", { cause: error });
  }
  const said = error.message.replace(
    /^Streamable HTTP error: (?:Error POSTing to endpoint: )?/,
    "",
  );
  const hint = code === 401 || code === 403 ? " (token_env names the variable with its token)" : "";
  const status = code === -1 ? "" : `${code}, `;
  const words = `it answered ${status}${sanitizeLine(said, LINE_CHARACTERS) || "without a word"}${hint}`;
  return new ServerFailure("REFUSED", words, { cause: error });
}

/** `fetch` says only that it failed, and keeps the reason behind it. */
function isNetworkError(error: unknown): error is Error {
  return error instanceof TypeError && /^(?:fetch failed|terminated)/.test(error.message);
}

function networkWords({ cause, message }: Error): string {
  // Several addresses that all failed are an error without words, but with a code.
  const words = cause instanceof Error ? cause.message || errorCode(cause) : undefined;
  return sanitizeLine(words ?? message, LINE_CHARACTERS);
}

/** A way to a server that also knows why it ended. */
export interface ServerTransport extends Transport {
  /** Why it is closed, where the server or we ourselves brought it about. */
  readonly reason: () => ServerFailure | undefined;
  /** Ends it at once, without waiting for anything. */
  readonly kill: () => void;
}
