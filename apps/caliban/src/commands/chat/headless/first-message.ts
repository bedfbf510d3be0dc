import type { ConversationFlags } from "../../../cli/conversation-flags.ts";
import type { Host, InputKind } from "../../../host.ts";
import { UsageError } from "../../../usage-error.ts";
import type { InputMessage } from "./input-messages.ts";

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
  host: Pick<Host, "inputKind" | "readInputWithin">,
  signal?: AbortSignal,
): Promise<FirstMessage> {
  const { readInputWithin, inputKind } = host;
  // Empty when there is nothing to read; undefined when the pipe stays silent.
  const input = isReadable(inputKind())
    ? await readInputWithin(firstByteTimeout(print, text), signal)
    : "";
  const parts = [text, input].filter((part) => part !== undefined && part.trim() !== "");
  if (parts.length === 0 && print) throw new UsageError(NO_PROMPT);
  const message = parts.length === 0 ? undefined : parts.join("\n\n");
  if (input !== undefined || text === undefined) return { text: message };
  return { text: message, warning: SILENT_STDIN };
}

const NO_PROMPT =
  '-p requires a prompt: caliban -p "fix the tests", or pipe one in (its first byte must arrive within 30 seconds)';
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
  { stderr }: Pick<Host, "stderr">,
  signal: AbortSignal,
): AsyncGenerator<InputMessage> {
  const read = await Promise.race([reading, aborted(signal)]);
  if (read?.warning !== undefined) stderr(`caliban: ${read.warning}\n`);
  if (read?.text !== undefined) yield { type: "user", text: read.text };
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return undefined;
  return await new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
