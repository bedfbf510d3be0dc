import type { Cost } from "@caliban/providers";
import type { Conversation } from "../../../conversation/conversation.ts";
import { createNoteReader } from "../../../conversation/notes/note-reader.ts";
import { EXIT, type ExitCode } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import type { Interruption } from "../../interruption.ts";
import type { ExpandedInput } from "./expand-message.ts";
import type { InputMessage } from "./input-messages.ts";
import type { AnswerOutput, TurnReport } from "./output/answer-output.ts";
import { createTurnRecord, type TurnRecord } from "./turn-record.ts";

export interface HeadlessInput {
  readonly host: Pick<Host, "now" | "version">;
  readonly conversation: Conversation;
  readonly output: AnswerOutput;
  /** Each message is a turn of its own. The signal ends the stream. */
  readonly messages: (signal: AbortSignal) => AsyncIterable<InputMessage> | Iterable<InputMessage>;
  readonly interruption: Interruption;
  /** Expands a message that starts with a slash. */
  readonly expand?: ((message: string) => Promise<ExpandedInput>) | undefined;
}

/** Runs a conversation without a screen, from the first message to the last, and closes it. */
export async function runHeadless(input: HeadlessInput): Promise<ExitCode> {
  const code = await answerAll(input);
  return input.interruption.exitCode() ?? code;
}

async function answerAll(input: HeadlessInput): Promise<ExitCode> {
  const { host, conversation, messages, interruption } = input;
  const { signal, reason } = interruption;
  const output = untilLost(input.output, reason);
  const reader = createNoteReader();
  const turn: { record: TurnRecord } = { record: createTurnRecord(reader) };
  conversation.attach({
    emit: (event) => {
      turn.record.observe(event);
      output.event(event);
    },
    notify: output.notify,
  });
  signal.addEventListener("abort", () => conversation.interrupt());
  try {
    output.start(describeStart(conversation, host));
    const codes: ExitCode[] = [];
    for await (const message of messages(signal)) {
      if (signal.aborted) break;
      turn.record = createTurnRecord(reader);
      const sent = await expanded(message, codes.length + 1, { ...input, output });
      codes.push(await answer(sent, { ...input, output, record: turn.record }));
    }
    return worstExitCode(codes);
  } finally {
    await conversation.close();
  }
}

function describeStart(
  conversation: Conversation,
  { version }: HeadlessInput["host"],
): Parameters<AnswerOutput["start"]>[0] {
  return {
    version,
    session: savedSession(conversation),
    model: conversation.model(),
    mode: conversation.policy().mode,
    tools: conversation.tools().map(({ name }) => name),
    warnings: conversation.warnings(),
  };
}

/** Expands a message that names a command. */
async function expanded(
  message: InputMessage,
  line: number,
  { expand, output }: Pick<HeadlessInput, "expand" | "output">,
): Promise<InputMessage> {
  if (message.type !== "user" || expand === undefined || !message.text.trimStart().startsWith("/"))
    return message;
  const result = await expand(message.text);
  if ("problem" in result) return { type: "input-error", line, message: result.problem };
  for (const notice of result.notices) output.notify({ kind: "general", message: notice });
  return { type: "user", text: result.text };
}

async function answer(
  message: InputMessage,
  {
    host,
    output,
    conversation,
    record,
  }: Pick<HeadlessInput, "host" | "output" | "conversation"> & { readonly record: TurnRecord },
): Promise<ExitCode> {
  if (message.type === "input-error") {
    output.inputError(message);
    return EXIT.usage;
  }
  const start = host.now();
  const before = conversation.spent().cost;
  const outcome = await conversation.send(message.text);
  const report = record.report(outcome, {
    session: savedSession(conversation),
    model: conversation.model(),
    costUsd: costSince(before, conversation.spent().cost),
    durationMs: host.now() - start,
    warnings: conversation.warnings().map((warning) => warning.message),
  });
  output.result(report);
  return exitCodeAfter(report);
}

/** A millionth of a dollar is exact enough, and hides the errors of binary fractions. */
function costSince(before: Cost, after: Cost): number | null {
  if (after.unpriced.length > 0) return null;
  return Math.round((after.dollars - before.dollars) * 1e6) / 1e6;
}

function savedSession(conversation: Conversation): string | null {
  return conversation.isSaved() ? conversation.id() : null;
}

/** Prints nothing more once no one reads it. */
function untilLost(output: AnswerOutput, reason: Interruption["reason"]): AnswerOutput {
  const unlessLost =
    <Value>(print: (value: Value) => void) =>
    (value: Value): void => {
      if (reason() !== "output-lost") print(value);
    };
  return {
    start: unlessLost(output.start),
    event: unlessLost(output.event),
    notify: unlessLost(output.notify),
    inputError: unlessLost(output.inputError),
    result: unlessLost(output.result),
  };
}

const EXIT_CODES: Readonly<Record<TurnReport["outcome"], ExitCode>> = {
  done: EXIT.done,
  interrupted: EXIT.interrupted,
  "step-limit": EXIT.failed,
  budget: EXIT.budget,
  refused: EXIT.model,
  failed: EXIT.model,
  "not-sent": EXIT.usage,
};

/** A denied call counts only when nothing worse happened. */
function exitCodeAfter({ outcome, denials }: Pick<TurnReport, "outcome" | "denials">): ExitCode {
  if (outcome === "done" && denials.length > 0) return EXIT.denied;
  return EXIT_CODES[outcome];
}

const WORST_FIRST: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.usage,
  EXIT.model,
  EXIT.budget,
  EXIT.failed,
  EXIT.denied,
];

function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.done;
}
