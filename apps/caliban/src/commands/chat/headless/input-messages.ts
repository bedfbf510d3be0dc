import { isRecord, parseJson } from "@caliban/common";
import type { ConversationFlags } from "../../../cli/conversation-flags.ts";
import type { Host, InputKind } from "../../../host.ts";
import { UsageError } from "../../../usage-error.ts";
import type { InputError } from "./output/answer-output.ts";

/** One message of the user, or what is wrong with a line. */
export type InputMessage = { readonly type: "user"; readonly text: string } | InputError;

/**
 * Parses `--input-format stream-json`. Empty lines are ignored.
 * @yields a message or an error for each line
 */
export async function* parseMessages(lines: AsyncIterable<string>): AsyncGenerator<InputMessage> {
  let line = 0;
  for await (const content of lines) {
    line += 1;
    if (content.trim() !== "") yield parseMessage(content, line);
  }
}

/** Parses `{"type":"user","text":"…"}`. */
export function parseMessage(content: string, line: number): InputMessage {
  const value = parseJson(content);
  if (value === undefined) return inputError(line, "invalid JSON");
  if (!isRecord(value)) return inputError(line, "not an object");
  const { type, text } = value;
  if (type !== "user") return inputError(line, '"type" must be "user"');
  if (typeof text !== "string" || text.trim() === "")
    return inputError(line, '"text" is missing or empty');
  return { type: "user", text };
}

function inputError(line: number, reason: string): InputError {
  const message = `stdin line ${line}: ${reason}. Expected: {"type":"user","text":"…"}`;
  return { type: "input-error", line, message };
}

/** The first message, and a problem with stdin that the user should know about. */
export interface FirstMessage {
  /** `undefined` when there is neither a text nor any input. */
  readonly text: string | undefined;
  readonly warning?: string;
}

/**
 * How long to wait for the first byte of a pipe: the parent process may hold it open forever and never write. Input
 * that has started is read to its end.
 */
const FIRST_BYTE_MS = { withText: 3000, printing: 30_000, unattended: 300 } as const;

/**
 * Joins the text of the command line and the piped input. Does not read a terminal.
 * @throws UsageError when `-p` was given and there is no text
 */
export async function readFirstMessage(
  { print, text }: Pick<ConversationFlags, "print" | "text">,
  host: Pick<Host, "inputKind" | "readInputWithin" | "command">,
  signal?: AbortSignal,
): Promise<FirstMessage> {
  const { readInputWithin, inputKind, command } = host;
  // Empty when there is nothing to read; undefined when the pipe stays silent.
  const input = isReadable(inputKind())
    ? await readInputWithin(firstByteTimeout(print, text), signal)
    : "";
  const parts = [text, text === undefined ? input : framed(input)].filter(
    (part) => part !== undefined && part.trim() !== "",
  );
  if (parts.length === 0 && print)
    throw new UsageError(
      `-p requires a prompt: ${command('-p "fix the tests"')}, or pipe one in (its first byte must arrive within 30 seconds)`,
    );
  const message = parts.length === 0 ? undefined : parts.join("\n\n");
  if (input !== undefined || text === undefined) return { text: message };
  return { text: message, warning: SILENT_STDIN };
}

/** Input after a prompt is a file or the output of a program: memory must not take it for the user's words. */
function framed(input: string | undefined): string | undefined {
  if (input === undefined || input.trim() === "") return undefined;
  const escaped = input.replaceAll(/<(?=\/?stdin\b)/gi, "&lt;");
  return `<stdin>\n${escaped}${escaped.endsWith("\n") ? "" : "\n"}</stdin>`;
}

const SILENT_STDIN =
  "no input on stdin after 3 seconds, so it was ignored; use `< /dev/null` when there is none";

function firstByteTimeout(print: boolean, text: string | undefined): number {
  if (text !== undefined) return FIRST_BYTE_MS.withText;
  return print ? FIRST_BYTE_MS.printing : FIRST_BYTE_MS.unattended;
}

function isReadable(kind: InputKind): boolean {
  return kind === "file" || kind === "pipe";
}

/**
 * Waits for a message that is read while the conversation is opened. The signal ends the wait.
 * @yields the message, if there is one
 */
export async function* awaitMessage(
  reading: Promise<FirstMessage>,
  { report }: Pick<Host, "report">,
  signal: AbortSignal,
): AsyncGenerator<InputMessage> {
  const read = await Promise.race([reading, aborted(signal)]);
  if (read?.warning !== undefined) report(read.warning);
  if (read?.text !== undefined) yield { type: "user", text: read.text };
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return undefined;
  return await new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
