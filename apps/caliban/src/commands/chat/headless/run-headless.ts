import type { Conversation, ConversationView } from "../../../conversation/conversation.ts";
import { EXIT, type ExitCode, SIGNAL_EXIT } from "../../../exit-code.ts";
import type { Host, InterruptReason } from "../../../host.ts";
import type { AnswerOutput } from "./output/answer-output.ts";
import { exitOf, worstExit } from "./exit-of.ts";
import type { InputMessage } from "./input-messages.ts";
import { createTurnRecord, type TurnRecord } from "./turn-record.ts";

export interface HeadlessInput {
  readonly host: Pick<Host, "now" | "version" | "onInterrupt">;
  readonly output: AnswerOutput;
  /** Each is a turn of its own; the signal ends them. */
  readonly messages: (signal: AbortSignal) => AsyncIterable<InputMessage> | Iterable<InputMessage>;
  readonly open: (view: ConversationView) => Promise<Conversation>;
}

/** A conversation without a screen, from the first message to the last. Nobody is asked anything. */
export async function runHeadless(input: HeadlessInput): Promise<ExitCode> {
  const interruption = listen(input.host);
  try {
    const code = await converseUntilEnd(input, interruption);
    const reason = interruption.reason();
    return reason === undefined ? code : exitAfter(reason);
  } finally {
    interruption.stop();
  }
}

function exitAfter(reason: InterruptReason): ExitCode {
  // Whoever closed the pipe has what they wanted.
  return reason === "output-lost" ? EXIT.done : SIGNAL_EXIT[reason];
}

interface Interruption {
  readonly signal: AbortSignal;
  readonly reason: () => InterruptReason | undefined;
  readonly stop: () => void;
}

function listen({ onInterrupt }: HeadlessInput["host"]): Interruption {
  const controller = new AbortController();
  let why: InterruptReason | undefined;
  const stop = onInterrupt((reason) => {
    why = reason;
    controller.abort();
  });
  return { signal: controller.signal, reason: () => why, stop };
}

async function converseUntilEnd(
  input: HeadlessInput,
  { signal, reason }: Interruption,
): Promise<ExitCode> {
  const output = untilLost(input.output, reason);
  const turn: { record: TurnRecord } = { record: createTurnRecord() };
  const conversation = await input.open({
    emit: (event) => {
      turn.record.observe(event);
      output.event(event);
    },
    notify: output.notify,
  });
  signal.addEventListener("abort", () => conversation.interrupt());
  try {
    begin(conversation, input.host, output);
    const codes: ExitCode[] = [];
    for await (const message of input.messages(signal)) {
      if (signal.aborted) break;
      turn.record = createTurnRecord();
      codes.push(await answer(message, { ...input, output, conversation, record: turn.record }));
    }
    return worstExit(codes);
  } finally {
    await conversation.close();
  }
}

function begin(
  conversation: Conversation,
  { version }: HeadlessInput["host"],
  output: AnswerOutput,
): void {
  output.begin({
    type: "init",
    version,
    session: sessionOf(conversation),
    model: conversation.model(),
    mode: conversation.policy().mode,
    tools: conversation.tools().map(({ name }) => name),
    warnings: conversation.warnings(),
  });
}

async function answer(
  message: InputMessage,
  {
    host,
    output,
    conversation,
    record,
  }: HeadlessInput & { readonly conversation: Conversation; readonly record: TurnRecord },
): Promise<ExitCode> {
  if (message.type === "input-error") {
    output.inputError(message);
    return EXIT.usage;
  }
  const start = host.now();
  const outcome = await conversation.send(message.text);
  const result = record.resultOf(outcome, {
    session: sessionOf(conversation),
    model: conversation.model(),
    durationMs: host.now() - start,
    warnings: conversation.warnings(),
  });
  output.result(result);
  return exitOf(result);
}

function sessionOf(conversation: Conversation): string | null {
  return conversation.isSaved() ? conversation.id() : null;
}

/** Says nothing more once nobody reads. */
function untilLost(output: AnswerOutput, reason: Interruption["reason"]): AnswerOutput {
  const unlessLost =
    <Told>(tell: (told: Told) => void) =>
    (told: Told): void => {
      if (reason() !== "output-lost") tell(told);
    };
  return {
    begin: unlessLost(output.begin),
    event: unlessLost(output.event),
    notify: unlessLost(output.notify),
    inputError: unlessLost(output.inputError),
    result: unlessLost(output.result),
  };
}
