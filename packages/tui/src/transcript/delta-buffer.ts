import type { AgentEvent } from "@caliban/agent-core";

interface DeltaBufferInput {
  readonly emit: (event: AgentEvent) => void;
  /** How long chunks of text are collected before they are passed on. */
  readonly delayMs: () => number;
}

/** Passes events on in order, but merges chunks of an answer: rendering each of them would be too slow. */
export function createDeltaBuffer({
  emit,
  delayMs,
}: DeltaBufferInput): (event: AgentEvent) => void {
  let pending: Delta | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const collected = pending;
    pending = undefined;
    if (collected !== undefined) emit(collected);
  };
  return (event) => {
    if (!isDelta(event)) {
      flush();
      return emit(event);
    }
    if (pending?.type !== event.type) flush();
    pending = { type: event.type, text: (pending?.text ?? "") + event.text };
    timer ??= setTimeout(flush, delayMs());
  };
}

type Delta = Extract<AgentEvent, { readonly type: "text-delta" | "reasoning-delta" }>;

function isDelta(event: AgentEvent): event is Delta {
  return event.type === "text-delta" || event.type === "reasoning-delta";
}
