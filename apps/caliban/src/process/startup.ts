const MIN_NODE = { major: 22, minor: 19 } as const;

/** A message for users whose Node is too old; `undefined` when it is new enough. */
export function unsupportedNodeMessage(version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  if (major > MIN_NODE.major || (major === MIN_NODE.major && minor >= MIN_NODE.minor))
    return undefined;
  return `caliban requires Node ${MIN_NODE.major}.${MIN_NODE.minor} or newer, but this is ${version}. Install a newer Node and try again.\n`;
}

/** How to end when stdout can no longer be written, and the message for stderr. */
export interface LostOutput {
  readonly exitCode: 0 | 1;
  readonly message: string;
}

/** A reader that has seen enough (`| head`) is not a failure; a full disk is. */
export function lostOutput(error: NodeJS.ErrnoException): LostOutput {
  if (error.code === "EPIPE") return { exitCode: 0, message: "" };
  const reason = error.code ?? error.message;
  return { exitCode: 1, message: `caliban: cannot write to stdout (${reason})\n` };
}

/** The part of `node:fs` that is used. */
interface SyncWriter {
  readonly writeSync: (descriptor: number, bytes: Uint8Array) => number;
}

/** Writes to stdout without opening its stream, which takes milliseconds. Returns what is left for the stream. */
export function writeAtOnce(text: string, { writeSync }: SyncWriter): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  try {
    return bytes.subarray(writeSync(1, bytes));
  } catch (error) {
    // A full or closed pipe: the stream can wait, and handles the end.
    if (!(error instanceof Error)) throw error;
    return bytes;
  }
}
