import { matchesKey } from "@earendil-works/pi-tui";
import type { Conversation } from "../../../agent/conversation.ts";
import type { Host } from "../../../host.ts";
import type { Chat } from "./chat.ts";
import { conversationFacts } from "./conversation-facts.ts";
import { nextMode } from "../../../../../../packages/tui/src/input/next-mode.ts";
import type { Screen } from "../../../../../../packages/tui/src/screen/screen.ts";
import { createKeyHandler, type KeyActions } from "../../../../../../packages/tui/src/input/screen-keys.ts";

/** The keys of the screen: before there is a conversation, Ctrl-C leaves. */
export function createKeys(
  screen: Screen,
  quit: () => void,
): { readonly use: (actions: Omit<KeyActions, "quit">) => void } {
  let handle = (data: string): boolean => {
    if (!matchesKey(data, "ctrl+c")) return false;
    screen.cancelDialog();
    quit();
    return true;
  };
  screen.onKey((data) => handle(data));
  return {
    use: (actions) => {
      handle = createKeyHandler({ ...actions, quit });
    },
  };
}

interface KeyActionsInput {
  readonly screen: Screen;
  readonly conversation: Conversation;
  readonly chat: Chat;
  readonly host: Host;
}

/** What the keys do to a conversation. */
export function keyActions(input: KeyActionsInput): Omit<KeyActions, "quit"> {
  const { screen, conversation, chat, host } = input;
  const { editor } = screen;
  return {
    now: host.now,
    isBusy: chat.isBusy,
    interrupt: chat.interrupt,
    typed: () => editor.getText(),
    clearTyped: () => editor.setText(""),
    isCompleting: () => editor.isShowingAutocomplete(),
    cancelDialog: screen.cancelDialog,
    hasDialog: screen.hasDialog,
    hint: screen.hint,
    nextMode: () => {
      conversation.useMode(nextMode(conversation.policy().mode));
      const facts = conversationFacts(conversation);
      screen.update(facts);
      screen.hint(`Mode: ${facts.mode} (${MODE_WORDS[facts.mode] ?? ""})`);
    },
    toggleDetails: () => {
      const { expandedFrom, transcript } = screen.state();
      const lastSaid = transcript.items.findLastIndex(({ kind }) => kind === "person");
      screen.update({ expandedFrom: expandedFrom === Infinity ? Math.max(0, lastSaid) : Infinity });
    },
  };
}

const MODE_WORDS: Readonly<Record<string, string>> = {
  default: "writes and commands are asked about",
  "accept-edits": "changes of files are not asked about",
  plan: "nothing is changed",
};
