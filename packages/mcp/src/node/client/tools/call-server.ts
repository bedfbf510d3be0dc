import type { CancelSignal, ToolContext, ToolResult } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import type { Connection, RequestLimits } from "../connection.ts";
import { renderRefusal } from "../../../client/result-text.ts";
import { ServerFailure } from "../../../client/server-failure.ts";
import type { ManagedServer } from "../managed-server.ts";

/** Asks a server for something in the name of the model. A failure of it is a result in words. */
export async function callServer(
  link: ManagedServer,
  { signal }: Pick<ToolContext, "signal">,
  ask: (connection: Connection, limits: RequestLimits) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { name } = link.server;
  const cancelling = cancelled(signal);
  try {
    const timeoutMs = link.timeoutSeconds * 1_000;
    const limits = { timeoutMs, signal: cancelling.signal };
    const opened = link.use((connection) => ask(connection, limits));
    const result = await Promise.race([opened, cancelling.interrupted]);
    return masked(result, link.mask);
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error;
    const sentence = link.mask(error.message);
    if (error.said !== undefined) return renderRefusal(name, sentence, link.mask(error.said));
    return { text: advice(name, error, sentence), isError: true, data: { sentence } };
  } finally {
    cancelling.release();
  }
}

/** The model reads the text, and the person the sentence. */
function masked(result: ToolResult, mask: ManagedServer["mask"]): ToolResult {
  const { text, data } = result;
  if (!isRecord(data) || typeof data["sentence"] !== "string")
    return { ...result, text: mask(text) };
  return { ...result, text: mask(text), data: { ...data, sentence: mask(data["sentence"]) } };
}

function advice(name: string, { code }: ServerFailure, sentence: string): string {
  if (code === "INTERRUPTED") return `The person interrupted the call of the server ${name}.`;
  const next =
    code === "NO_ANSWER"
      ? "Ask for less, or go on without it."
      : "Go on without it; the person can see what is wrong with /mcp.";
  return `The MCP server ${name} did not do it: ${sentence}. ${next}`;
}

interface Cancelling {
  readonly signal: AbortSignal;
  /** Rejects when the person interrupts, also while a server is only being started. */
  readonly interrupted: Promise<never>;
  readonly release: () => void;
}

function cancelled(signal: CancelSignal | undefined): Cancelling {
  const controller = new AbortController();
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  interrupted.catch(() => undefined);
  const abort = (): void => {
    controller.abort("the person interrupted it");
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
