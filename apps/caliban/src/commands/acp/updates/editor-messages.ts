import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { terminalSafeLine } from "@caliban/common";
import { fenced, plainLine } from "./fence.ts";

export interface EditorMessagesInput {
  /** Sends an update to the editor. */
  readonly update: (update: SessionUpdate) => void;
  /** Whether the editor shows notices apart from the answer. */
  readonly showsNotices: () => boolean;
}

/** The text of the model, and that of caliban between it. */
export interface EditorMessages {
  /** What follows is another message. */
  readonly next: () => void;
  readonly answer: (text: string) => void;
  readonly thought: (text: string) => void;
  /** Shows one line of caliban. */
  readonly say: (line: string) => void;
  /** Shows what a command printed. It was made for a terminal, so its lines are kept as they are. */
  readonly showOutput: (output: { readonly text: string; readonly isError: boolean }) => void;
}

export function createEditorMessages({
  update,
  showsNotices,
}: EditorMessagesInput): EditorMessages {
  let count = 0;
  const next = (): void => {
    count += 1;
  };
  const answer = (text: string): void => {
    const content = { type: "text", text } as const;
    update({ sessionUpdate: "agent_message_chunk", messageId: `message-${count}`, content });
  };
  /** Some editors join all messages, so text of caliban has lines of its own. */
  const show = (markdown: string): void => {
    next();
    answer(`\n\n${markdown}\n\n`);
    next();
  };
  return {
    next,
    answer,
    thought: (text) => {
      const content = { type: "text", text } as const;
      update({ sessionUpdate: "agent_thought_chunk", messageId: `thought-${count}`, content });
    },
    say: (line) => {
      if (!showsNotices()) return show(`> ${plainLine(line)}`);
      update({ sessionUpdate: "notice", severity: "info", title: terminalSafeLine(line) });
    },
    showOutput: ({ text, isError }) => {
      if (text.trim() === "") return;
      show(isError ? text.trim().replaceAll(/^/gm, "> ") : fenced(text));
    },
  };
}
