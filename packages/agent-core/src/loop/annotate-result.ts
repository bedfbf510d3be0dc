import { type Clock, SYSTEM_CLOCK } from "../clock.ts";
import type { Tool, ToolCall, ToolResult } from "../tool.ts";

/** A call that ran, whether it worked or failed. */
export interface FinishedToolCall {
  readonly tool: Tool;
  readonly call: ToolCall;
  /** What a rule's pattern is matched against, such as the path of a file or a command. */
  readonly subject: string | undefined;
  /** With secrets masked. */
  readonly result: ToolResult;
}

/** Returns a note for a call that ran, or `undefined`. Never called for a call that was refused. */
export type Annotate = (finished: FinishedToolCall) => Promise<string | undefined>;

export interface AnnotateLimits {
  readonly clock: Clock;
  /** A note that takes longer is left out. */
  readonly maxMs: number;
}

const MAX_ANNOTATE_MS = 4_000;

/** Creates what appends notes to results. Without a note in time, the result stays as it is. */
export function createAnnotator({
  annotate,
  mask = (text) => text,
  annotateLimits: { clock = SYSTEM_CLOCK, maxMs = MAX_ANNOTATE_MS } = {},
}: {
  readonly annotate?: Annotate | undefined;
  readonly mask?: ((text: string) => string) | undefined;
  readonly annotateLimits?: Partial<AnnotateLimits> | undefined;
}): (finished: FinishedToolCall) => Promise<ToolResult> {
  if (annotate === undefined) return async ({ result }) => result;
  return async (finished) => {
    const { result } = finished;
    const note = await noteInTime(annotate, finished, { clock, maxMs });
    if (note === undefined || note.trim() === "") return result;
    return { ...result, text: `${result.text}\n\n${mask(note)}` };
  };
}

async function noteInTime(
  annotate: Annotate,
  finished: FinishedToolCall,
  { clock, maxMs }: AnnotateLimits,
): Promise<string | undefined> {
  const { signal } = finished.call;
  if (signal?.aborted === true) return undefined;
  const cleanUp: (() => void)[] = [];
  const end = new Promise<undefined>((resolve) => {
    const stop = (): void => resolve(undefined);
    cleanUp.push(clock.after(maxMs, stop));
    if (signal === undefined) return;
    signal.addEventListener("abort", stop);
    cleanUp.push(() => signal.removeEventListener("abort", stop));
  });
  try {
    return await Promise.race([annotate(finished), end]);
  } catch {
    // The model waits for the result, which does not need the note.
    return undefined;
  } finally {
    for (const clean of cleanUp) clean();
  }
}
