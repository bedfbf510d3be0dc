import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { createLineSplitter, idAtEnds, type InputLine, isRecord, parseJson } from "@caliban/common";
import type { BytePipe } from "@caliban/mcp/node";

/** The longest message that is read: a prompt with as many images as a session file can hold. */
const MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024;

/**
 * The protocol on stdin and stdout, one message per line. The SDK's own stream is not used, because it ends at a line that
 * is too long, and keeps reading while no one reads its answers.
 */
export function createMessageStream(pipe: BytePipe): Stream {
  const write = async (message: object): Promise<void> => {
    await pipe.write(`${JSON.stringify(message)}\n`);
  };
  const messages = readMessages(pipe, write);
  return {
    readable: new ReadableStream<AnyMessage>({
      pull: async (controller) => {
        const next = await messages.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
    }),
    writable: new WritableStream<AnyMessage>({ write }),
  };
}

async function* readMessages(
  pipe: BytePipe,
  answer: (message: object) => Promise<void>,
): AsyncGenerator<AnyMessage> {
  const splitter = createLineSplitter(MAX_MESSAGE_BYTES);
  async function* parse(lines: readonly InputLine[]): AsyncGenerator<AnyMessage> {
    for (const line of lines) {
      // Answers that no one reads must not pile up.
      await pipe.hasRoom();
      const read = readLine(line);
      if (read === undefined) continue;
      if ("message" in read) yield read.message;
      else await answer({ jsonrpc: "2.0", ...read });
    }
  }
  for await (const chunk of pipe.input) yield* parse(splitter.push(chunk));
  yield* parse(splitter.end());
}

interface InvalidLine {
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** Reads one line; `undefined` for a blank one. The SDK checks the message itself. */
function readLine(line: InputLine): { readonly message: AnyMessage } | InvalidLine | undefined {
  if (line.kind === "too-long") return { id: idAtEnds(line), error: TOO_LONG };
  const text = decode(line.bytes);
  if (text?.trim() === "") return undefined;
  const value = text === undefined ? undefined : parseJson(text);
  if (value === undefined) {
    const message = text === undefined ? "invalid UTF-8" : "invalid JSON";
    return { id: null, error: { code: -32_700, message } };
  }
  return isMessage(value) ? { message: value } : { id: null, error: NOT_A_MESSAGE };
}

const TOO_LONG = {
  code: -32_600,
  message: `message too long: the limit is ${MAX_MESSAGE_BYTES} bytes. Send fewer or smaller images`,
};

const NOT_A_MESSAGE = {
  code: -32_600,
  message:
    'not a JSON-RPC 2.0 message: it needs "jsonrpc": "2.0", and a method or a result. Batches are not supported',
};

function isMessage(value: unknown): value is AnyMessage {
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return false;
  return ["method", "result", "error"].some((key) => Object.hasOwn(value, key));
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

/** Text that decoding would change is not read. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return DECODER.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}
