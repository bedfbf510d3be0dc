import { type Signal, signal } from "@preact/signals";
import { isStored, lost, request } from "./server.ts";

/** Counts the changes. What reads from the server reads again when it grows. */
export const revision: Signal<number> = signal(0);

const RETRY_MS = 1_000;
const MAX_RETRIES = 5;

/** Follows the events of the server, which are read with fetch because they need a header. */
export async function followChanges(): Promise<void> {
  if (isStored) return;
  for (let retries = 0; retries < MAX_RETRIES; retries++) {
    const response = await request("events", {});
    if (response?.ok === true && response.body !== null) {
      lost.value = "";
      // Changes may have been missed.
      if (retries > 0) revision.value += 1;
      retries = 0;
      await readEvents(response.body);
    }
    if (lost.value === "no-token") return;
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS);
    });
  }
  lost.value = "stopped";
}

async function readEvents(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (decoder.decode(value, { stream: true }).includes("event: changed")) revision.value += 1;
    }
  } catch {
    // The connection was lost. It is opened again.
  }
}
