import { type Signal, signal } from "@preact/signals";
import { isStored, lost, request } from "./server.ts";

/** Counts the changes. What reads from the server reads again when it grows. */
export const revision: Signal<number> = signal(0);

/** While a program changes one topic after another, everything is read again only so often. */
const MIN_GAP_MS = 400;
let lastMs = -MIN_GAP_MS;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Something changed: now, or together with what changes in the next moment. */
function onChanged(): void {
  waiting ??= setTimeout(
    () => {
      waiting = undefined;
      lastMs = performance.now();
      revision.value += 1;
    },
    Math.max(0, lastMs + MIN_GAP_MS - performance.now()),
  );
}

const RETRY_MS = 1_000;
const MAX_RETRIES = 5;

/**
 * Follows the events of the server, which are read with fetch because they need a header. Only while the tab is visible:
 * a browser opens six connections to a server, and six tabs that each keep one would leave none for anything else.
 */
export async function followChanges(): Promise<void> {
  if (isStored) return;
  let isFirst = true;
  for (let retries = 0; retries < MAX_RETRIES;) {
    await untilVisible();
    const hidden = whenHidden();
    const response = await request("events", { signal: hidden });
    if (response?.ok === true && response.body !== null) {
      lost.value = "";
      // Changes may have been missed.
      if (!isFirst) revision.value += 1;
      isFirst = false;
      retries = 0;
      await readEvents(response.body);
    }
    if (lost.value === "no-token") return;
    if (hidden.aborted) continue;
    retries += 1;
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS);
    });
  }
  lost.value = "stopped";
}

async function untilVisible(): Promise<void> {
  while (document.hidden)
    await new Promise((resolve) => {
      document.addEventListener("visibilitychange", resolve, { once: true });
    });
}

function whenHidden(): AbortSignal {
  const left = new AbortController();
  const onChange = (): void => {
    if (document.hidden) left.abort();
  };
  document.addEventListener("visibilitychange", onChange, { signal: left.signal });
  return left.signal;
}

async function readEvents(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (decoder.decode(value, { stream: true }).includes("event: changed")) onChanged();
    }
  } catch {
    // The connection was lost, or the tab is no longer visible. It is opened again.
  }
}
