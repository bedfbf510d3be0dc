import type { Environment } from "@caliban/common";
import { DEFAULT_PROVIDER_ORDER, KNOWN_PROVIDERS, OFFLINE_MODEL } from "@caliban/providers";
import {
  type ConversationFlags,
  conversationFlags,
  givenConversationOption,
  type OutputFormat,
} from "../../cli/conversation-flags.ts";
import type { CommandResult, Invocation } from "../../command.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { OpenConversationOptions } from "../../conversation/open-conversation.ts";
import type { Host } from "../../host.ts";
import { hasTeams } from "../../project/has-teams.ts";
import { openProject } from "../../project/project.ts";
import { UsageError } from "../../usage-error.ts";
import { readPromptOverrides } from "../prompt-overrides.ts";
import {
  awaitMessage,
  type InputMessage,
  parseMessages,
  readFirstMessage,
} from "./headless/input-messages.ts";
import type { ExpandedInput } from "./headless/expand-message.ts";
import type { AnswerOutput, AnswerSink } from "./headless/output/answer-output.ts";
import { createJsonOutput, createStreamJsonOutput } from "./headless/output/json.ts";
import { createTextOutput } from "./headless/output/text.ts";
import { listenForInterrupt } from "../interruption.ts";
import type { OpeningQuestions } from "./terminal/run-terminal.ts";
import { type HeadlessInput, runHeadless } from "./headless/run-headless.ts";

/** `caliban` without a command: the screen on a terminal, an answer on stdout, or the status. */
export async function chat(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const flags = conversationFlags(invocation);
  const isInteractive = !flags.print && host.isTerminal && host.inputKind() === "terminal";
  return isInteractive
    ? await chatOnScreen(invocation, flags)
    : await chatWithoutScreen(invocation, flags);
}

async function chatOnScreen(typed: Invocation, flags: ConversationFlags): Promise<CommandResult> {
  const { atPrompt } = await import("./slash/captured-run.ts");
  const { openingQuestions, openScreen, runTerminal } = await import("./terminal/run-terminal.ts");
  const screen = openScreen(typed.host);
  const host = atPrompt(typed.host);
  const invocation = { ...typed, host };
  const questions = openingQuestions(screen, host);
  const exitCode = await runTerminal({
    invocation,
    screen,
    conversation: open(invocation, flags, { canAsk: true, ...questions }),
    prompt: flags.resume?.kind === "choose" ? "/resume" : flags.text,
    startBackground: async (sessionId, say) => {
      const { startTeamMemory } = await import("../../team-background/team-background.ts");
      const report = (text: string): void => say({ tone: "plain", text });
      void startTeamMemory({ invocation, say: report }).catch(() => undefined);
      const { startPipeline } = await import("../../pipeline/start-pipeline.ts");
      return await startPipeline({ invocation, sessionId, say });
    },
  });
  await syncAfterSession(invocation);
  return { stdout: "", exitCode };
}

async function chatWithoutScreen(
  invocation: Invocation,
  flags: ConversationFlags,
): Promise<CommandResult> {
  const { host } = invocation;
  rejectChoice(flags, host);
  const reading = new AbortController();
  const messages = await readMessages(invocation, flags, reading.signal);
  if (messages === undefined) {
    rejectConversationOptions(invocation);
    const { showStatus } = await import("../status.ts");
    return await showStatus(invocation);
  }
  const interruption = listenForInterrupt(host);
  try {
    const conversation = await open(invocation, flags);
    const requested = flags.model ?? conversation.defaultModel();
    if (isOfflineByDefault(conversation.model(), { env: host.env, requested }))
      host.report(
        `no API key found, so the built-in offline model is answering from memory only. Set ANTHROPIC_API_KEY (or run: ${host.command("doctor")}).`,
      );
    const output = OUTPUTS[flags.outputFormat](host);
    const expand = async (message: string): Promise<ExpandedInput> => {
      const { expandMessage } = await import("./headless/expand-message.ts");
      return await expandMessage(message, { invocation, conversation });
    };
    const run = { host, conversation, messages, output, interruption, expand };
    const exitCode = await runHeadless(run);
    await syncAfterSession(invocation);
    return { stdout: "", exitCode };
  } finally {
    interruption.stop();
    // A pending read of stdin would keep the process alive.
    reading.abort();
  }
}

/** The code for it is loaded only for users who joined a team. */
async function syncAfterSession(invocation: Invocation): Promise<void> {
  if (!hasTeams({ environment: invocation.host })) return;
  const team = await import("../../team-background/team-background.ts");
  await team.syncAfterSession(invocation);
}

/** Whether the offline model answers because there is no key, and not because the user asked for it. */
export function isOfflineByDefault(
  model: string,
  { env, requested }: { readonly env: Environment; readonly requested: string | undefined },
): boolean {
  const hasKey = DEFAULT_PROVIDER_ORDER.flatMap(
    (name) => KNOWN_PROVIDERS[name]?.keyVariables ?? [],
  ).some((variable) => (env[variable] ?? "").trim() !== "");
  return model === OFFLINE_MODEL && requested === undefined && !hasKey;
}

const OUTPUTS: Readonly<Record<OutputFormat, (sink: AnswerSink) => AnswerOutput>> = {
  text: createTextOutput,
  json: createJsonOutput,
  "stream-json": createStreamJsonOutput,
};

async function open(
  invocation: Invocation,
  flags: ConversationFlags,
  questions: Pick<OpenConversationOptions, keyof OpeningQuestions | "canAsk"> = {},
): Promise<Conversation> {
  const { openConversation } = await import("../../conversation/open-conversation.ts");
  const overrides = await readPromptOverrides(invocation);
  const project = await openProject(invocation);
  return await openConversation(project, {
    modelName: flags.model,
    session: sessionRequest(flags),
    isSaved: flags.isSaved,
    isLearnedFrom: flags.isLearnedFrom,
    maxSteps: flags.maxTurns,
    overrides,
    ...questions,
  });
}

function sessionRequest({
  resume,
  sessionName,
}: ConversationFlags): OpenConversationOptions["session"] {
  if (sessionName !== undefined) return { kind: "name", name: sessionName };
  return resume?.kind === "choose" ? undefined : resume;
}

/** `undefined` when there is no message. */
async function readMessages(
  { host }: Invocation,
  flags: ConversationFlags,
  signal: AbortSignal,
): Promise<HeadlessInput["messages"] | undefined> {
  if (flags.inputFormat === "stream-json") return (ended) => parseMessages(host.inputLines(ended));
  const reading = readFirstMessage(flags, host, signal);
  if ((flags.text ?? "").trim() !== "") {
    // There is a message, so the conversation is opened while stdin is read. A failure is reported where it is awaited.
    reading.catch(() => undefined);
    return (ended) => awaitMessage(reading, host, ended);
  }
  const { text } = await reading;
  if (text === undefined) return undefined;
  const message: InputMessage = { type: "user", text };
  return () => [message];
}

/** Without a screen the user cannot choose a session. */
function rejectChoice({ resume }: ConversationFlags, { command }: Host): void {
  if (resume?.kind !== "choose") return;
  throw new UsageError(
    `--resume requires a session id when there is no terminal. To list them, run: ${command("sessions")}. For the most recent one, use --continue`,
  );
}

function rejectConversationOptions({ options, host }: Invocation): void {
  const option = givenConversationOption(options);
  if (option === undefined) return;
  throw new UsageError(`${option} requires a message: ${host.command('-p "fix the tests"')}`);
}
