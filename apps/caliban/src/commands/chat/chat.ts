import type { Conversation, ConversationView } from "../../conversation/conversation.ts";
import type { OpenConversationInput } from "../../conversation/open/open-conversation.ts";
import {
  type ConversationFlags,
  conversationFlags,
  givenConversationOption,
  type OutputFormat,
} from "../../cli/conversation-flags.ts";
import { readPromptOverrides } from "../../cli/prompt-overrides.ts";
import type { CommandResult, Invocation } from "../../command.ts";
import type { AnswerOutput, AnswerSink } from "./headless/output/answer-output.ts";
import { createJsonOutput } from "./headless/output/json.ts";
import { createStreamJsonOutput } from "./headless/output/stream-json.ts";
import { createTextOutput } from "./headless/output/text.ts";
import { UsageError } from "../../usage-error.ts";
import { awaitedMessage, firstMessage } from "./headless/first-message.ts";
import { type InputMessage, readMessages } from "./headless/input-messages.ts";
import { offlineHint } from "./headless/offline-hint.ts";
import { type HeadlessInput, runHeadless } from "./headless/run-headless.ts";

/** `caliban` without a command: the screen on a terminal, else an answer on stdout, else the state of things. */
export async function converse(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const flags = conversationFlags(invocation);
  if (!flags.print && host.isTerminal && host.inputKind() === "terminal") {
    const { runTerminal } = await import("./terminal/run-terminal.ts");
    const choosing = flags.resume?.kind === "choose";
    const prompt = choosing ? "/resume" : flags.text;
    const exitCode = await runTerminal({
      host,
      invocation,
      open: opener(invocation, flags),
      prompt,
      startBackground: async (sessionId, say) => {
        const { startPipeline } = await import("../../pipeline/start-pipeline.ts");
        return await startPipeline({ invocation, sessionId, say });
      },
    });
    return { stdout: "", exitCode };
  }
  refuseChoice(flags);
  const reading = new AbortController();
  const messages = await messagesOf(invocation, flags, reading.signal);
  if (messages === undefined) {
    refuseOptions(invocation);
    const { showStatus } = await import("../status.ts");
    return await showStatus(invocation);
  }
  const open = withHint(opener(invocation, flags), { host, flags });
  const output = OUTPUTS[flags.outputFormat](host);
  try {
    return { stdout: "", exitCode: await runHeadless({ host, messages, output, open }) };
  } finally {
    // Whatever is still being read would keep the process.
    reading.abort();
  }
}

const OUTPUTS: Readonly<Record<OutputFormat, (sink: AnswerSink) => AnswerOutput>> = {
  text: createTextOutput,
  json: createJsonOutput,
  "stream-json": createStreamJsonOutput,
};

/** `undefined` when nobody said anything. */
async function messagesOf(
  { host }: Invocation,
  flags: ConversationFlags,
  signal: AbortSignal,
): Promise<HeadlessInput["messages"] | undefined> {
  if (flags.inputFormat === "stream-json") return (ended) => readMessages(host.inputLines(ended));
  const reading = firstMessage(flags, host, signal);
  if ((flags.text ?? "").trim() !== "") {
    // Something will be said, so that nothing has to wait for the rest of it. What goes wrong is met where it is awaited.
    reading.catch(() => undefined);
    return (ended) => awaitedMessage(reading, host, ended);
  }
  const { text } = await reading;
  if (text === undefined) return undefined;
  const message: InputMessage = { type: "user", text };
  return () => [message];
}

/** Nobody can pick a session where there is no screen. */
function refuseChoice({ resume }: ConversationFlags): void {
  if (resume?.kind !== "choose") return;
  throw new UsageError(
    "--resume needs the id of a session where there is no screen; `caliban sessions` lists them, --continue takes the latest",
  );
}

/** Says on stderr, whatever the format, when nobody but the offline model answers. */
function withHint(
  open: Opener,
  {
    host,
    flags,
  }: { readonly host: Invocation["host"]; readonly flags: Pick<ConversationFlags, "model"> },
): Opener {
  return async (view) => {
    const conversation = await open(view);
    const hint = offlineHint(conversation.model(), { env: host.env, wanted: flags.model });
    if (hint !== undefined) host.stderr(`caliban: ${hint}\n`);
    return conversation;
  };
}

/** Where nothing is said there is no conversation that they could be for. */
function refuseOptions({ options }: Invocation): void {
  const option = givenConversationOption(options);
  if (option === undefined) return;
  throw new UsageError(
    `${option} is for a conversation; add what is to be said: -p "fix the tests"`,
  );
}

type Opener = (
  view: ConversationView & Pick<OpenConversationInput, "askImport" | "askServer">,
) => Promise<Conversation>;

function opener(invocation: Invocation, flags: ConversationFlags): Opener {
  const resume = flags.resume?.kind === "choose" ? undefined : flags.resume;
  return async (view) => {
    const { openConversation } = await import("../../conversation/open/open-conversation.ts");
    const wishes = await readPromptOverrides(invocation);
    return await openConversation({
      invocation,
      view,
      modelName: flags.model,
      resume,
      sessionName: flags.sessionName,
      isSaved: flags.isSaved,
      isLearnedFrom: flags.isLearnedFrom,
      maxSteps: flags.maxTurns,
      wishes,
      askImport: view.askImport,
      askServer: view.askServer,
    });
  };
}
