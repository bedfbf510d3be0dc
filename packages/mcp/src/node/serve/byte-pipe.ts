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

/** The part of a process that is used. */
export interface PipeProcess extends Pick<NodeJS.Process, "stdin" | "stdout"> {
  /** Called after the pipe is closed, if unread output still keeps the process alive. */
  readonly exit?: (() => void) | undefined;
}

const EXIT_AFTER_MS = 1_000;

export function createBytePipe({ stdin, stdout, exit }: PipeProcess): BytePipe {
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
      // The timer keeps nothing alive: if everything was read, the process is gone by then.
      if (exit !== undefined) setTimeout(() => exit(), EXIT_AFTER_MS).unref();
    },
  };
}

async function* bytesOf(stdin: NodeJS.ReadStream): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stdin) {
      const bytes: Uint8Array = chunk;
      yield bytes;
    }
  } catch (error) {
    // Closing the stream midway ends it like this, and so does a client that was killed.
    if (!(error instanceof Error)) throw error;
  }
}

async function roomIn(stdout: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      for (const event of ROOM_EVENTS) stdout.off(event, done);
      resolve();
    };
    for (const event of ROOM_EVENTS) stdout.on(event, done);
  });
}

const ROOM_EVENTS = ["drain", "error", "close"] as const;
