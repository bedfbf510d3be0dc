import type { Clock } from "../clock.ts";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";

/** Why reading ended before the stream did. */
export type ReadingEnd = "whole" | "interrupted" | "silent";

export interface ReadStreamInput<Part> {
  readonly stream: AsyncIterable<Part>;
  readonly onPart: (part: Part) => void;
  readonly signal: RequestSignal;
  readonly clock: Clock;
  /** How long nothing may come before the stream counts as dead. */
  readonly maxSilenceMs: number;
}

/** Reads a stream to its end, and no longer than it lives or anybody wants it. */
export async function readStream<Part>(input: ReadStreamInput<Part>): Promise<ReadingEnd> {
  const parts = input.stream[Symbol.asyncIterator]();
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a stream is read part after part
    const next = await nextOrEnd(parts.next(), input);
    if (next === "interrupted" || next === "silent") {
      // Not waited for: a stream that is stuck may never answer.
      void Promise.resolve(parts.return?.()).catch(() => undefined);
      return next;
    }
    if (next.done === true) return "whole";
    input.onPart(next.value);
  }
}

/** The promise, unless the person or the clock is faster. */
export async function nextOrEnd<Value>(
  promise: PromiseLike<Value>,
  { signal, clock, maxSilenceMs }: Omit<ReadStreamInput<unknown>, "stream" | "onPart">,
): Promise<Value | "interrupted" | "silent"> {
  if (signal.aborted) {
    void Promise.resolve(promise).catch(() => undefined);
    return "interrupted";
  }
  const cleanUp: (() => void)[] = [];
  const end = new Promise<"interrupted" | "silent">((resolve) => {
    const interrupt = (): void => resolve("interrupted");
    signal.addEventListener("abort", interrupt);
    cleanUp.push(
      () => signal.removeEventListener("abort", interrupt),
      clock.after(maxSilenceMs, () => resolve("silent")),
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

/** What ends a request: an AbortSignal, under a name that needs no library of a platform for its type. */
export type RequestSignal = NonNullable<LanguageModelV4CallOptions["abortSignal"]>;
