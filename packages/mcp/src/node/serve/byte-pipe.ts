/** stdin and stdout as bytes, for a protocol. */
export interface BytePipe {
  /** The input as it arrives. It ends with the stream, or when the pipe is closed. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Resolves as `hasRoom` does. */
  readonly write: (text: string) => Promise<void>;
  /** Resolves when the output was taken, or when no one will ever take it. */
  readonly hasRoom: () => Promise<void>;
  /** Stops reading. */
  readonly close: () => void;
}

/** The part of a process that is used, spelled out so that the type needs no platform library. */
export interface PipeStreams {
  readonly stdin: AsyncIterable<unknown> & { readonly destroy: () => unknown };
  readonly stdout: OutputStream;
}

interface OutputStream {
  readonly destroyed: boolean;
  readonly writableNeedDrain: boolean;
  readonly write: (text: string) => unknown;
  readonly on: (event: RoomEvent, listener: () => void) => unknown;
  readonly off: (event: RoomEvent, listener: () => void) => unknown;
}

type RoomEvent = "drain" | "error" | "close";

const STALLED_AFTER_MS = 1_000;

/**
 * Creates a pipe from the streams of a process. `onStalled` is called if the process still runs a second after the pipe
 * was closed, as it does when no one reads the output.
 */
export function createBytePipe(
  { stdin, stdout }: PipeStreams,
  onStalled: () => void = () => undefined,
): BytePipe {
  let room: Promise<void> | undefined;
  const hasRoom = async (): Promise<void> => {
    if (stdout.destroyed || !stdout.writableNeedDrain) return;
    room ??= roomIn(stdout).finally(() => {
      room = undefined;
    });
    await room;
  };
  return {
    input: bytesOf(stdin),
    hasRoom,
    write: async (text) => {
      if (!stdout.destroyed) stdout.write(text);
      await hasRoom();
    },
    close: () => {
      stdin.destroy();
      // The timer itself keeps no process alive.
      setTimeout(onStalled, STALLED_AFTER_MS).unref();
    },
  };
}

async function* bytesOf(stdin: PipeStreams["stdin"]): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stdin) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    // Closing the stream midway ends it like this, and so does a client that was killed.
    if (!(error instanceof Error)) throw error;
  }
}

async function roomIn(stdout: OutputStream): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      for (const event of ROOM_EVENTS) stdout.off(event, done);
      resolve();
    };
    for (const event of ROOM_EVENTS) stdout.on(event, done);
  });
}

const ROOM_EVENTS: readonly RoomEvent[] = ["drain", "error", "close"];
