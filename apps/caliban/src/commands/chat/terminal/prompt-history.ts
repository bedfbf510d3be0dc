import { join } from "node:path";
import { terminalSafeLine, userDirectories } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { type Screen, searchHistory, showNotice } from "@caliban/tui";
import { type HistoryFile, openHistoryFile } from "@caliban/tui/node";
import type { Invocation } from "../../../command.ts";
import type { Conversation } from "../../../conversation/conversation.ts";

/** What the user sent, in this session and before. */
export interface PromptHistory {
  readonly add: (text: string) => void;
  /** Lets the user pick a line, which replaces the text in the prompt. */
  readonly search: () => Promise<void>;
  /** Resolves when everything is stored. */
  readonly close: () => Promise<void>;
}

interface PromptHistoryInput {
  readonly screen: Screen;
  readonly conversation: Conversation;
  readonly invocation: Invocation;
  /** Nothing is read or stored before: the first request comes first. */
  readonly ready: Promise<void>;
}

/** Opens the history of the user, which Up browses and Ctrl-R searches. It stays in this session if nothing may be kept. */
export function openPromptHistory(input: PromptHistoryInput): PromptHistory {
  const { screen, conversation } = input;
  const { editor } = screen;
  const project = conversation.receipt().workspaceRoot;
  const file = historyFile(input);
  const sent: string[] = [];
  let isFailed = false;
  const attempt = async <Result>(action: () => Result): Promise<Awaited<Result> | undefined> => {
    try {
      return await action();
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      // Once is enough: the prompt works without it.
      if (!isFailed) showNotice(screen, "bad", failureText(error));
      isFailed = true;
      return undefined;
    }
  };
  const store = async (text: string): Promise<void> => {
    if (file === undefined || isFailed || (await conversation.holdsSecret(text))) return;
    await attempt(async () => await file.add({ text, project }));
  };
  const closing = Promise.withResolvers<void>();
  const load = async (): Promise<void> => {
    await Promise.race([input.ready, closing.promise]);
    const entries = (await attempt(() => file?.read())) ?? [];
    const own = entries.filter((entry) => entry.project === project);
    for (const text of [...own.map((entry) => entry.text), ...sent]) editor.addToHistory(text);
  };
  let stored = load();
  return {
    add: (text) => {
      sent.push(text);
      editor.addToHistory(text);
      stored = stored.then(async () => await store(text));
    },
    search: async () => {
      // Read again, because other sessions add to it.
      const entries = (await attempt(() => file?.read())) ?? [];
      const texts = [...entries.map(({ text }) => text), ...sent].toReversed();
      if (texts.length === 0) return screen.hint("No messages to search yet");
      const picked = await searchHistory(screen, texts);
      if (picked === undefined) return;
      editor.setText(picked);
      // The editor does not redraw what the program puts into it.
      screen.update({});
    },
    close: async () => {
      closing.resolve();
      await stored;
    },
  };
}

/** The file in the state directory; `undefined` when this run keeps nothing. */
function historyFile({ conversation, invocation }: PromptHistoryInput): HistoryFile | undefined {
  const { bare, memory, host } = invocation;
  const { state } = userDirectories(host);
  const isKept = memory && !bare && conversation.isSaved();
  return isKept && state !== undefined ? openHistoryFile(join(state, HISTORY_NAME)) : undefined;
}

const HISTORY_NAME = "prompt-history.jsonl";

function failureText(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return terminalSafeLine(
    `${HISTORY_NAME} in the state directory: ${reason}. Messages of this session are not kept for Ctrl-R.`,
  );
}
