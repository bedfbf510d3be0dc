import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";

/** An AbortSignal, named through the AI SDK so that the type needs no platform library. */
export type RequestSignal = NonNullable<LanguageModelV4CallOptions["abortSignal"]>;

/** The reasons why waiting stops before there is a result. */
export type EarlyEnd = "interrupted" | "idle-timeout";

/** The limits of waiting. */
export interface WaitLimits {
  readonly signal: RequestSignal;
  readonly clock: Clock;
  /** The time without any data after which the other side counts as dead. */
  readonly idleTimeoutMs: number;
}

export interface ReadStreamInput<Part> extends WaitLimits {
  readonly stream: AsyncIterable<Part>;
  readonly onPart: (part: Part) => void;
}

/** Reads a stream until it ends, the user interrupts, or nothing arrives for too long. */
export async function readStream<Part>(
  input: ReadStreamInput<Part>,
): Promise<"complete" | EarlyEnd> {
  const parts = input.stream[Symbol.asyncIterator]();
  for (;;) {
    const next = await waitFor(parts.next(), input);
    if (next === "interrupted" || next === "idle-timeout") {
      // Not awaited: a stream that hangs may never confirm.
      void Promise.resolve(parts.return?.()).catch(() => undefined);
      return next;
    }
    if (next.done === true) return "complete";
    input.onPart(next.value);
  }
}

/** Waits for the promise unless the user interrupts or the time is up first. */
export async function waitFor<Value>(
  promise: PromiseLike<Value>,
  { signal, clock, idleTimeoutMs }: WaitLimits,
): Promise<Value | EarlyEnd> {
  if (signal.aborted) {
    void Promise.resolve(promise).catch(() => undefined);
    return "interrupted";
  }
  const cleanUp: (() => void)[] = [];
  const end = new Promise<EarlyEnd>((resolve) => {
    const interrupt = (): void => resolve("interrupted");
    signal.addEventListener("abort", interrupt);
    cleanUp.push(
      () => signal.removeEventListener("abort", interrupt),
      clock.after(idleTimeoutMs, () => resolve("idle-timeout")),
    );
  });
  try {
    return await Promise.race([promise, end]);
  } catch (error) {
    if (signal.aborted) return "interrupted";
    throw error;
  } finally {
    for (const clean of cleanUp) clean();
  }
}
