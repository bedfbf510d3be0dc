import type { ConversationFlags } from "../../../cli/conversation-flags.ts";
import type { Host, InputKind } from "../../../host.ts";
import { UsageError } from "../../../usage-error.ts";
import type { InputMessage } from "./input-messages.ts";

/** What the first message is made of. */
export interface FirstMessage {
  /** `undefined` when nobody said anything. */
  readonly text: string | undefined;
  /** What the person should know about stdin. */
  readonly warning?: string;
}

/**
 * How long the first byte of a pipe is waited for: a program that started this one may hold the pipe open for ever and
 * never write. What has begun is read to its end.
 */
const FIRST_BYTE_MS = { beside: 3000, alone: 30_000, unasked: 300 } as const;

/**
 * The text of the command line, and behind it what is piped in. A terminal is not read.
 * @throws UsageError when there is no text although one was announced
 */
export async function firstMessage(
  { print, text }: Pick<ConversationFlags, "print" | "text">,
  host: Pick<Host, "inputKind" | "readInputWithin">,
  signal?: AbortSignal,
): Promise<FirstMessage> {
  const { readInputWithin, inputKind } = host;
  // Empty when there is nothing to read; undefined when a pipe stays silent.
  const input = canBeRead(inputKind())
    ? await readInputWithin(waitingTime(print, text), signal)
    : "";
  const parts = [text, input].filter((part) => part !== undefined && part.trim() !== "");
  if (parts.length === 0 && print) throw new UsageError(NOTHING_TO_ANSWER);
  const whole = parts.length === 0 ? undefined : parts.join("\n\n");
  if (input !== undefined || text === undefined) return { text: whole };
  return { text: whole, warning: SILENT };
}

const NOTHING_TO_ANSWER =
  '-p needs a text: caliban -p "fix the tests", or pipe one in; a pipe must say something within 30 seconds';
const SILENT =
  "stdin is open, but nothing came in 3 seconds, so it was left out; use `< /dev/null` where nothing is meant to come";

function waitingTime(print: boolean, text: string | undefined): number {
  if (text !== undefined) return FIRST_BYTE_MS.beside;
  return print ? FIRST_BYTE_MS.alone : FIRST_BYTE_MS.unasked;
}

function canBeRead(kind: InputKind): boolean {
  return kind === "file" || kind === "pipe";
}

/**
 * A message that is still being read while the conversation is opened; the signal ends the wait.
 * @yields it, once it is there
 */
export async function* awaitedMessage(
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
