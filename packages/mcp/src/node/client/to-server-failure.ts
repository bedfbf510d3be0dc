import { isRecord } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
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
  const cause = negotiationCause(error);
  if (cause !== undefined) return toServerFailure(cause, context);
  if (context.isInterrupted)
    return new ServerFailure("INTERRUPTED", "the call was interrupted", { cause: error });
  const timeoutMs = timeoutOf(error);
  if (timeoutMs !== undefined) {
    const seconds = (timeoutMs / 1_000).toLocaleString("en-US");
    const message = `did not answer ${method} within ${seconds} seconds`;
    return new ServerFailure("NO_ANSWER", message, { cause: error });
  }
  if (reason !== undefined) return new ServerFailure(reason.code, reason.message, { cause: error });
  if (error === undefined || hasSdkCode(error, SdkErrorCode.ConnectionClosed))
    return new ServerFailure("ENDED", "closed the connection", { cause: error });
  return answerFailure(error, method);
}

/** A failure that the server or the way to it reported. */
function answerFailure(error: unknown, method: string): ServerFailure {
  if (error instanceof ProtocolError) {
    const serverMessage = error.message;
    const message = `rejected ${method} (${error.code}): ${shown(serverMessage)}`;
    return new ServerFailure("REFUSED", message, { cause: error, serverMessage });
  }
  if (hasSdkCode(error, SdkErrorCode.UnsupportedResultType)) return inputRefused(method, error);
  if (error instanceof SdkHttpError) return httpFailure(error, method);
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

function hasSdkCode(error: unknown, code: SdkErrorCode): error is SdkError {
  return error instanceof SdkError && error.code === code;
}

/** Why it could not be found out which revision of the protocol the server speaks. */
function negotiationCause(error: unknown): unknown {
  const isNegotiation = hasSdkCode(error, SdkErrorCode.EraNegotiationFailed);
  return isNegotiation && !(error instanceof SdkHttpError) ? error.cause : undefined;
}

/** Set by the SDK only; a server's own error has no timeout. */
function timeoutOf(error: unknown): number | undefined {
  if (!hasSdkCode(error, SdkErrorCode.RequestTimeout)) return undefined;
  const timeout = isRecord(error.data) ? error.data["timeout"] : undefined;
  return typeof timeout === "number" ? timeout : undefined;
}

/** Only the user's own agent may ask the user something. */
function inputRefused(method: string, error: unknown): ServerFailure {
  const message = `answered ${method} with a question to the user, which caliban does not pass on`;
  return new ServerFailure("REFUSED", message, { cause: error });
}

function httpFailure(error: SdkHttpError, method: string): ServerFailure {
  const { status: code } = error;
  if (code === 404 && method !== "initialize")
    return new ServerFailure("ENDED", "no longer knows the session", { cause: error });
  const posted = /^Error POSTing to endpoint: ([^]*)$/.exec(error.message)?.[1];
  const { text } = error.data;
  const said = shown(posted ?? (typeof text === "string" ? text : ""));
  const hint =
    code === 401 || code === 403 ? "; set token_env to the variable that holds its token" : "";
  const message = `answered with HTTP ${code}: ${said || "no message"}${hint}`;
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
