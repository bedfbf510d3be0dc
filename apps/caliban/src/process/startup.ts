
const NEEDED = { major: 22, minor: 19 } as const;

/** A sentence for those whose Node is too old; `undefined` when it will do. */
export function unsupportedNodeMessage(version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  if (major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor)) return undefined;
  return `caliban needs Node ${NEEDED.major}.${NEEDED.minor} or newer, and this is ${version}; install a newer Node and run it again.\n`;
}

/** What to do when nobody can read on: how to end, and what to say on stderr. */
export interface LostOutput {
  readonly exitCode: 0 | 1;
  readonly message: string;
}

/** A reader that has seen enough (`| head`) is no failure; a full disk is. */
export function lostOutput(error: NodeJS.ErrnoException): LostOutput {
  if (error.code === "EPIPE") return { exitCode: 0, message: "" };
  const reason = error.code ?? error.message;
  return { exitCode: 1, message: `caliban: the output cannot be written (${reason})\n` };
}

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
