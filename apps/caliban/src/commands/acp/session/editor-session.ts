import type {
  ContentBlock,
  PromptResponse,
  SessionUpdate,
  StopReason,
} from "@agentclientprotocol/sdk";
import type { ImageAttachment, PermissionMode, TurnOutcome } from "@caliban/agent-core";
import { createQueue } from "@caliban/common";
import type { Conversation } from "../../../conversation/conversation.ts";
import { failed, invalidParams } from "../protocol/request-error.ts";
import { readPrompt } from "../prompt/read-prompt.ts";
import type { EditorView } from "../updates/editor-view.ts";
import { fenced } from "../updates/fence.ts";
import { MODEL_OPTION_ID, configOptionsOf } from "./editor-modes.ts";
import type { ProposalReview } from "./review-proposals.ts";
import type { SlashOutcome } from "./slash-commands.ts";

/** One conversation of an editor. */
export interface EditorSession {
  /** The id by which the editor knows it. */
  readonly id: string;
  readonly conversation: Conversation;
  /** Runs a prompt to its end. Prompts of one session run one after another. */
  readonly prompt: (blocks: readonly ContentBlock[]) => Promise<PromptResponse>;
  /** Ends the running prompt and drops those that wait. */
  readonly cancel: () => void;
  readonly setMode: (mode: PermissionMode) => void;
  readonly setModel: (model: string) => Promise<void>;
  /** Shows the stored messages. */
  readonly replay: () => Promise<void>;
  /** Announces the slash commands. */
  readonly announce: () => Promise<void>;
  /** Shows a line to the user. */
  readonly say: (line: string) => void;
  readonly close: () => Promise<void>;
}

export interface EditorSessionInput {
  readonly id: string;
  readonly conversation: Conversation;
  readonly view: EditorView;
  readonly update: (update: SessionUpdate) => void;
  readonly workspaceRoot: string;
  readonly turn: RunningTurn;
  readonly runCommand: (text: string) => Promise<SlashOutcome>;
  readonly review: ProposalReview;
  readonly replay: () => Promise<void>;
  readonly announce: () => Promise<void>;
  /** Work that starts after the first answer, and ends with the session. */
  readonly background: { readonly start: () => void; readonly stop: () => Promise<void> };
}

/** What ends with the prompt that runs now. */
export interface RunningTurn {
  readonly begin: () => AbortSignal;
  readonly abort: () => void;
  readonly end: () => void;
  readonly signal: () => AbortSignal | undefined;
  readonly onAbort: (listener: () => void) => () => void;
}

export function createRunningTurn(): RunningTurn {
  let controller: AbortController | undefined;
  return {
    begin: () => {
      controller = new AbortController();
      return controller.signal;
    },
    abort: () => controller?.abort(),
    end: () => {
      controller = undefined;
    },
    signal: () => controller?.signal,
    onAbort: (listener) => {
      const { signal } = controller ?? {};
      signal?.addEventListener("abort", listener);
      return () => signal?.removeEventListener("abort", listener);
    },
  };
}

export function createEditorSession(input: EditorSessionInput): EditorSession {
  const { id, conversation, view, update, turn, replay, announce, background } = input;
  const enqueue = createQueue();
  const images: ImageAttachment[] = [];
  const shown: { mode: PermissionMode; model: string } = {
    mode: conversation.policy().mode,
    model: conversation.model(),
  };
  let cancelCount = 0;
  /** Tells the editor what a command, a plan or the model changed. */
  const updateState = (): void => {
    const { mode } = conversation.policy();
    if (mode !== shown.mode) update({ sessionUpdate: "current_mode_update", currentModeId: mode });
    if (conversation.model() !== shown.model) {
      const configOptions = configOptionsOf(conversation);
      update({ sessionUpdate: "config_option_update", configOptions });
    }
    Object.assign(shown, { mode, model: conversation.model() });
  };
  const run = async (blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason> => {
    const { workspaceRoot } = input;
    const read = await readPrompt(blocks, { workspaceRoot, imageCount: images.length });
    if ("problem" in read) throw invalidParams(read.problem);
    images.push(...read.images);
    let { text } = read;
    if (text.startsWith("/")) {
      const outcome = await input.runCommand(text);
      if (outcome.kind === "problem") throw invalidParams(outcome.message);
      if (outcome.kind === "output") {
        showOutput(outcome, update);
        return signal.aborted ? "cancelled" : "end_turn";
      }
      for (const line of outcome.notices) view.say(line);
      text = outcome.text;
    }
    await input.review.start();
    if (signal.aborted) return "cancelled";
    const sent = await conversation.send(text, {
      imagesIn: (part) => images.filter(({ name }) => part.includes(name)),
    });
    background.start();
    const stopReason = toStopReason(sent, conversation);
    await input.review.review(signal);
    return signal.aborted ? "cancelled" : stopReason;
  };
  return {
    id,
    conversation,
    replay,
    announce,
    say: view.say,
    prompt: async (blocks) => {
      const asked = cancelCount;
      return await enqueue(async () => {
        if (asked !== cancelCount) return { stopReason: "cancelled" };
        try {
          return { stopReason: await run(blocks, turn.begin()) };
        } finally {
          turn.end();
          updateState();
          update(usageOf(conversation));
        }
      });
    },
    cancel: () => {
      cancelCount += 1;
      turn.abort();
      conversation.interrupt();
    },
    setMode: (mode) => {
      conversation.useMode(mode);
      shown.mode = mode;
    },
    setModel: async (model) => {
      await conversation.useModel(model);
      shown.model = conversation.model();
    },
    close: async () => {
      cancelCount += 1;
      turn.abort();
      conversation.interrupt();
      await Promise.all([background.stop(), conversation.close()]);
    },
  };
}

/** What a command printed was made for a terminal, so its lines are kept as they are. */
function showOutput(
  { text, isError }: SlashOutcome & { readonly kind: "output" },
  update: EditorSessionInput["update"],
): void {
  if (text.trim() === "") return;
  const content = { type: "text", text: isError ? `> ${text}\n` : fenced(text) } as const;
  update({ sessionUpdate: "agent_message_chunk", content });
}

/** @throws RequestError if the prompt was not answered, for a reason that the user should see */
function toStopReason(outcome: TurnOutcome, conversation: Conversation): StopReason {
  switch (outcome.kind) {
    case "done":
      return isCutAtLimit(conversation) ? "max_tokens" : "end_turn";
    case "interrupted":
      return "cancelled";
    case "step-limit":
      return "max_turn_requests";
    case "refused":
      return "refusal";
    case "budget":
      throw failed(outcome.message, { code: "budget" });
    case "not-sent":
      throw invalidParams(outcome.message);
    case "failed":
      throw failed(outcome.failure.message, { code: outcome.failure.code });
  }
}

function isCutAtLimit(conversation: Conversation): boolean {
  const last = conversation.messages().at(-1);
  return last?.role === "assistant" && last.cut === "length";
}

function usageOf(conversation: Conversation): SessionUpdate {
  const { windowTokens, parts } = conversation.windowUse();
  const { cost } = conversation.spent();
  const used = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    sessionUpdate: "usage_update",
    used,
    size: windowTokens,
    ...(cost.unpriced.length > 0 ? {} : { cost: { amount: cost.dollars, currency: "USD" } }),
  };
}

/** The option of a request that an editor may set. */
export function isModelOption(configId: string): boolean {
  return configId === MODEL_OPTION_ID;
}
