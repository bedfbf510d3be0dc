/** stdin and stdout as bytes, for a protocol. */
export interface BytePipe {
  /** What comes in, as it comes; it ends with the input, or when the pipe is closed. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Resolves as `hasRoom` does. */
  readonly write: (text: string) => Promise<void>;
  /** Resolves when what was written was taken, or nobody will ever take it. */
  readonly hasRoom: () => Promise<void>;
  /** Reads no more. What was written and is not read soon is given up: it would keep the process for ever. */
  readonly close: () => void;
}

/** What of the process is used. */
type Machine = Pick<NodeJS.Process, "stdin" | "stdout" | "exit">;

const GIVEN_UP_AFTER_MS = 1_000;

export function createBytePipe(machine: Machine): BytePipe {
  const { stdin, stdout } = machine;
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
      // It waits for nobody: where everything was read, the process is gone by then.
      setTimeout(() => machine.exit(), GIVEN_UP_AFTER_MS).unref();
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
    // Whoever closes it in the middle is done with it, and so is a client that was killed.
    if (!(error instanceof Error)) throw error;
  }
}

async function roomIn(stdout: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => {
    const answer = (): void => {
      for (const event of ROOM_EVENTS) stdout.off(event, answer);
      resolve();
    };
    for (const event of ROOM_EVENTS) stdout.on(event, answer);
  });
}

const ROOM_EVENTS = ["drain", "error", "close"] as const;
