import { spawn } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { UsageError } from "../usage-error.ts";
import type { Choice } from "../host.ts";

const MAX_INPUT_BYTES = 1024 * 1024;

/**
 * Reads piped input, or what is typed until Ctrl-D.
 * @throws UsageError for input that is too long to be a topic, without reading it to its end
 */
export async function readInput(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part: Uint8Array = chunk;
    bytes += part.length;
    if (bytes > MAX_INPUT_BYTES)
      throw new UsageError(`stdin is longer than ${MAX_INPUT_BYTES} bytes`);
    chunks.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new UsageError("stdin is not valid UTF-8");
  }
}

/** Reads piped input; `undefined` when its first byte does not arrive in time. The signal ends the read. */
export async function readInputWithin(
  stdin: NodeJS.ReadStream,
  firstByteMs: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (signal?.aborted === true) return undefined;
  signal?.addEventListener("abort", () => stdin.destroy(), { once: true });
  if (await hasInput(stdin, firstByteMs)) return await readInput(stdin);
  // An open pipe would keep the process alive.
  stdin.destroy();
  return undefined;
}

/** Whether there is input, or its end, before the time is up. */
async function hasInput(stdin: NodeJS.ReadStream, firstByteMs: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const settle = (hasSome: boolean): void => {
      clearTimeout(timer);
      for (const event of INPUT_EVENTS) stdin.off(event, onInput);
      resolve(hasSome);
    };
    const onInput = (): void => settle(true);
    const timer = setTimeout(() => settle(false), firstByteMs);
    for (const event of INPUT_EVENTS) stdin.on(event, onInput);
  });
}

const INPUT_EVENTS = ["readable", "end", "error", "close"] as const;

/**
 * Reads lines until the input ends or the signal is aborted.
 * @yields a line without its line ending
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

/** Asks on stderr, because stdout is for the command's result. */
export async function confirm(machine: NodeJS.Process, question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await ask(machine, `${question} [y/N] `)) ?? "");
}

/** Asks until the answer is the first letter of a choice, or its whole label. */
export async function choose(
  machine: NodeJS.Process,
  question: string,
  choices: readonly Choice[],
): Promise<string | undefined> {
  const hint = choices.map(({ label }) => `[${label.charAt(0)}]${label.slice(1)}`).join(", ");
  for (;;) {
    const answer = (await ask(machine, `${question} ${hint}: `))?.toLowerCase();
    if (answer === undefined) return undefined;
    const chosen = choices.find(
      ({ value, label }) => answer === label.charAt(0).toLowerCase() || answer === value,
    );
    if (chosen !== undefined) return chosen.value;
  }
}

/** The line that the user types; `undefined` for Ctrl-C and Ctrl-D, which leave the cursor after the question. */
async function ask(machine: NodeJS.Process, question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: machine.stdin, output: machine.stderr });
  try {
    return (await terminal.question(question)).trim();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "AbortError") throw error;
    machine.stderr.write("\n");
    return undefined;
  } finally {
    terminal.close();
  }
}

/** Runs the command in a shell, because it may contain options, such as `code --wait`. The path is an argument. */
export async function openEditor(
  machine: NodeJS.Process,
  command: string,
  path: string,
): Promise<number> {
  // Ctrl-C is for the editor. The terminal sends it to both.
  const listeners = machine.listeners("SIGINT");
  machine.removeAllListeners("SIGINT").on("SIGINT", ignore);
  try {
    const child = spawn("sh", ["-c", `${command} "$1"`, "sh", path], { stdio: "inherit" });
    return await new Promise((resolve, reject) => {
      // As a shell reports a command that does not exist; here it is the shell itself.
      child.once("error", (error: NodeJS.ErrnoException) =>
        error.code === "ENOENT" ? resolve(127) : reject(error),
      );
      child.once("exit", (code) => resolve(code ?? 1));
    });
  } finally {
    machine.off("SIGINT", ignore);
    for (const listener of listeners) machine.on("SIGINT", listener);
  }
}

function ignore(): void {}
