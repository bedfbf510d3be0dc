import { type KeyActions, MODE_DESCRIPTIONS, nextMode, type Screen } from "@caliban/tui";
import type { Conversation } from "../../../conversation/conversation.ts";
import type { Host } from "../../../host.ts";
import { type ChatLoop, footerFacts } from "./chat-loop.ts";
import type { PastedImages } from "./paste/pasted-images.ts";
import type { PromptHistory } from "./prompt-history.ts";

interface KeyActionsInput {
  readonly screen: Screen;
  readonly conversation: Conversation;
  readonly chat: ChatLoop;
  readonly history: Pick<PromptHistory, "search">;
  readonly images: PastedImages;
  readonly host: Host;
}

/** What the keys of the screen do to a conversation. */
export function keyActions(input: KeyActionsInput): Omit<KeyActions, "quit"> {
  const { screen, conversation, chat, history, images, host } = input;
  const { editor } = screen;
  return {
    now: host.now,
    isBusy: chat.isBusy,
    interrupt: chat.interrupt,
    typedText: () => editor.getText(),
    clearTyped: () => editor.setText(""),
    isCompleting: () => editor.isShowingAutocomplete(),
    cancelDialog: screen.cancelDialog,
    hasDialog: screen.hasDialog,
    hint: screen.hint,
    rewind: () => {
      screen.update({ hint: undefined });
      chat.run("/rewind");
    },
    editMessage: () => void editInEditor(screen, host).catch(chat.fail),
    suspendJob: () => void suspendJob(screen, host).catch(chat.fail),
    searchHistory: () => void history.search().catch(chat.fail),
    pasteImage: () => void images.pasteClipboard().catch(chat.fail),
    pasteText: images.pasteText,
    switchMode: () => {
      const mode = nextMode(conversation.policy().mode);
      conversation.useMode(mode);
      screen.update(footerFacts(conversation));
      screen.hint(`Mode: ${mode} (${MODE_DESCRIPTIONS[mode]})`);
    },
    toggleDetails: () => {
      const { expandedFrom, transcript } = screen.state();
      const lastMessage = transcript.items.findLastIndex(({ kind }) => kind === "user");
      screen.expandFrom(expandedFrom === Infinity ? Math.max(0, lastMessage) : Infinity);
    },
  };
}

/** Loaded with the first use, because most sessions have none. */
async function editInEditor(screen: Screen, host: Host): Promise<void> {
  const { editMessage } = await import("./edit-message.ts");
  await editMessage(screen, host);
}

async function suspendJob(screen: Screen, host: Host): Promise<void> {
  const isStopped = await screen.suspend(host.stopJob, { isShell: true });
  if (!isStopped) screen.hint("Cannot suspend: no shell could continue caliban");
}
