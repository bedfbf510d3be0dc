import { spawn } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { UsageError } from "../usage-error.ts";

const MOST_INPUT_BYTES = 1024 * 1024;

/**
 * What is piped in, or typed until Ctrl-D.
 * @throws UsageError for what cannot be a topic: it is not waited for to its end
 */
export async function readInput(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part: Uint8Array = chunk;
    bytes += part.length;
    if (bytes > MOST_INPUT_BYTES)
      throw new UsageError(`the input has more than ${MOST_INPUT_BYTES} bytes`);
    chunks.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new UsageError("the input is not UTF-8");
  }
}

/** What is piped in, or `undefined` when its first byte does not come in time; the signal ends it in the middle. */
export async function readInputWithin(
  stdin: NodeJS.ReadStream,
  firstByteMs: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (signal?.aborted === true) return undefined;
  signal?.addEventListener("abort", () => stdin.destroy(), { once: true });
  if (await hasInput(stdin, firstByteMs)) return await readInput(stdin);
  // Else the open pipe would keep the process.
  stdin.destroy();
  return undefined;
}

/** Whether there is something to read, or the end, before the time is over. */
async function hasInput(stdin: NodeJS.ReadStream, firstByteMs: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const answer = (isThere: boolean): void => {
      clearTimeout(timer);
      for (const event of INPUT_EVENTS) stdin.off(event, onInput);
      resolve(isThere);
    };
    const onInput = (): void => answer(true);
    const timer = setTimeout(() => answer(false), firstByteMs);
    for (const event of INPUT_EVENTS) stdin.on(event, onInput);
  });
}

const INPUT_EVENTS = ["readable", "end", "error", "close"] as const;

/**
 * Reads until the input ends or the signal comes.
 * @yields a line without its end
 */
export async function* readLines(
  stdin: NodeJS.ReadStream,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const lines = createInterface({ input: stdin, crlfDelay: Infinity });
  const end = (): void => {
    lines.close();
    stdin.destroy();
  };
  if (signal.aborted) return end();
  signal.addEventListener("abort", end, { once: true });
  try {
    for await (const line of lines) yield line;
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** Asks on stderr, because stdout is for the answer of the command. */
export async function confirm(machine: NodeJS.Process, question: string): Promise<boolean> {
  const terminal = createInterface({ input: machine.stdin, output: machine.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } catch (error) {
    // Ctrl-C and Ctrl-D are no, and leave the cursor behind the question.
    if (!(error instanceof Error) || error.name !== "AbortError") throw error;
    machine.stderr.write("\n");
    return false;
  } finally {
    terminal.close();
  }
}

/** By the shell, because people put options into the variable, such as `code --wait`; the path is an argument. */
export async function openEditor(command: string, path: string): Promise<number> {
  const child = spawn("sh", ["-c", `${command} "$1"`, "sh", path], { stdio: "inherit" });
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
