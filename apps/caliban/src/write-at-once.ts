/** What of `node:fs` is used. */
interface SyncWriter {
  readonly writeSync: (descriptor: number, bytes: Uint8Array) => number;
}

/** Writes to stdout without opening its stream, which takes milliseconds. Gives back what is left for the stream. */
export function writeAtOnce(text: string, { writeSync }: SyncWriter): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  try {
    return bytes.subarray(writeSync(1, bytes));
  } catch (error) {
    // A full pipe, or nobody who reads: the stream can wait, and knows how to end.
    if (!(error instanceof Error)) throw error;
    return bytes;
  }
}
