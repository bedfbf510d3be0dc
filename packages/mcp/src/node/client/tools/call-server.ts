import type { CancelSignal, ToolContext, ToolResult } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { renderServerError } from "../../../client/result-text.ts";
import { ServerFailure, isServerFailure } from "../../../client/server-failure.ts";
import type { Connection, RequestLimits } from "../connection.ts";
import type { ManagedServer } from "../managed-server.ts";

/** Sends a request to a server for the model. A failure of the server becomes an error result. */
export async function callServer(
  managed: ManagedServer,
  { signal }: Pick<ToolContext, "signal">,
  request: (connection: Connection, limits: RequestLimits) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { name } = managed.server;
  const cancellation = createCancellation(signal);
  try {
    const limits = { timeoutMs: managed.timeoutSeconds * 1_000, signal: cancellation.signal };
    const running = managed.use((connection) => request(connection, limits));
    const result = await Promise.race([running, cancellation.interrupted]);
    return masked(result, managed.mask);
  } catch (error) {
    if (!isServerFailure(error)) throw error;
    const message = managed.mask(error.message);
    if (error.serverMessage !== undefined)
      return renderServerError(name, message, managed.mask(error.serverMessage));
    const text = failureText(managed, error, message);
    // `sentence` is the key of the published JSON events.
    return { text, isError: true, data: { sentence: message } };
  } finally {
    cancellation.release();
  }
}

/** Masks the text for the model and the message for the user. */
function masked(result: ToolResult, mask: ManagedServer["mask"]): ToolResult {
  const { text, data } = result;
  if (!isRecord(data) || typeof data["sentence"] !== "string")
    return { ...result, text: mask(text) };
  return { ...result, text: mask(text), data: { ...data, sentence: mask(data["sentence"]) } };
}

function failureText(
  { server: { name }, failureHint }: ManagedServer,
  { code }: ServerFailure,
  message: string,
): string {
  if (code === "INTERRUPTED") return `The user interrupted the call to the MCP server ${name}.`;
  const advice =
    code === "NO_ANSWER"
      ? ["Request less, or continue without it."]
      : ["Continue without it.", ...(failureHint === undefined ? [] : [failureHint])];
  return [`The MCP server ${name} failed: ${message}.`, ...advice].join(" ");
}

interface Cancellation {
  readonly signal: AbortSignal;
  /** Rejects when the user interrupts, even while the server is still starting. */
  readonly interrupted: Promise<never>;
  readonly release: () => void;
}

function createCancellation(signal: CancelSignal | undefined): Cancellation {
  const controller = new AbortController();
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  interrupted.catch(() => undefined);
  const abort = (): void => {
    controller.abort("interrupted by the user");
    reject(new ServerFailure("INTERRUPTED", "the call was interrupted"));
  };
  signal?.addEventListener("abort", abort);
  if (signal?.aborted === true) abort();
  return {
    signal: controller.signal,
    interrupted,
    release: () => signal?.removeEventListener("abort", abort),
  };
}
