import type { ContentBlock, PromptResponse, StopReason } from "@agentclientprotocol/sdk";
import type { ImageAttachment, PermissionMode } from "@caliban/agent-core";
import { createQueue } from "@caliban/common";
import type { Conversation } from "../../../conversation/conversation.ts";
import { invalidParams } from "../protocol/request-error.ts";
import { readPrompt } from "../prompt/read-prompt.ts";
import type { EditorView } from "../updates/editor-view.ts";
import type { ProposalReview } from "./review-proposals.ts";
import type { RunningTurn } from "./running-turn.ts";
import type { ShownState } from "./shown-state.ts";
import type { SlashOutcome } from "./slash-commands.ts";
import { toStopReason } from "./stop-reason.ts";

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
  readonly replay: () => void;
  /** Tells the editor what it can do in this session, and the user what they should know. */
  readonly announce: (lines: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface EditorSessionInput extends Pick<
  EditorSession,
  "id" | "conversation" | "replay" | "announce"
> {
  readonly view: Pick<EditorView, "say" | "showOutput">;
  readonly shown: ShownState;
  readonly workspaceRoot: string;
  readonly turn: RunningTurn;
  readonly runCommand: (text: string) => Promise<SlashOutcome>;
  readonly review: ProposalReview;
  /** Work that starts after the first answer, and ends with the session. */
  readonly background: { readonly start: () => void; readonly stop: () => Promise<void> };
}

export function createEditorSession(input: EditorSessionInput): EditorSession {
  const { id, conversation, turn, shown, replay, announce, background } = input;
  const enqueue = createQueue();
  const images: ImageAttachment[] = [];
  let cancelCount = 0;
  const cancel = (): void => {
    cancelCount += 1;
    turn.abort();
    conversation.interrupt();
  };
  return {
    id,
    conversation,
    replay,
    announce,
    cancel,
    prompt: async (blocks) => {
      const asked = cancelCount;
      return await enqueue(async () => {
        if (asked !== cancelCount) return { stopReason: "cancelled" };
        try {
          return {
            stopReason: await runPrompt(blocks, images, { ...input, signal: turn.begin() }),
          };
        } finally {
          turn.end();
          shown.refresh();
        }
      });
    },
    setMode: (mode) => {
      conversation.useMode(mode);
      shown.remember();
    },
    setModel: async (model) => {
      await conversation.useModel(model);
      shown.remember();
    },
    close: async () => {
      cancel();
      await Promise.all([background.stop(), conversation.close()]);
    },
  };
}

type PromptRun = EditorSessionInput & { readonly signal: AbortSignal };

/** @throws RequestError for a prompt that cannot be sent, or was not answered */
async function runPrompt(
  blocks: readonly ContentBlock[],
  images: ImageAttachment[],
  run: PromptRun,
): Promise<StopReason> {
  const { conversation, workspaceRoot, signal } = run;
  const read = await readPrompt(blocks, { workspaceRoot, imageCount: images.length });
  if ("problem" in read) throw invalidParams(read.problem);
  images.push(...read.images);
  const text = await expand(read.text, run);
  if (text === undefined) return signal.aborted ? "cancelled" : "end_turn";
  await run.review.start();
  if (signal.aborted) return "cancelled";
  const outcome = await conversation.send(text, {
    imagesIn: (part) => images.filter(({ name }) => part.includes(name)),
  });
  run.background.start();
  const stopReason = toStopReason(outcome, conversation);
  await run.review.review(signal);
  return signal.aborted ? "cancelled" : stopReason;
}

/** The message to send; `undefined` after a command that has run. */
async function expand(
  text: string,
  { runCommand, view }: Pick<PromptRun, "runCommand" | "view">,
): Promise<string | undefined> {
  if (!text.startsWith("/")) return text;
  const outcome = await runCommand(text);
  if (outcome.kind === "problem") throw invalidParams(outcome.message);
  if (outcome.kind === "output") {
    view.showOutput(outcome);
    return undefined;
  }
  for (const line of outcome.notices) view.say(line);
  return outcome.text;
}
