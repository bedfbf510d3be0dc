import { terminalSafe } from "@caliban/common";
import { parseSlash } from "../slash/parse-slash.ts";
import { SLASH_COMMANDS } from "../slash/slash-table.ts";
import { AGAIN, STOPPING } from "../../../../../../packages/tui/src/input/screen-keys.ts";
import { conversationFacts } from "./conversation-facts.ts";
import { createLineHandler, type LineHandlerInput } from "./handle-line.ts";
import { createWorkQueue } from "../../../../../../packages/tui/src/input/work-queue.ts";

/** What the person does with a conversation. */
export interface Chat {
  /** A whole line, or several, that the person sent off. */
  readonly submit: (text: string) => void;
  readonly interrupt: () => void;
  readonly isBusy: () => boolean;
  /** Never settles but by rejecting: a bug of ours. */
  readonly failed: Promise<never>;
}

/** Takes one line after the other: what is sent while the agent works waits for its turn. */
export function createChat(input: Omit<LineHandlerInput, "onInterrupt">): Chat {
  const { screen, conversation } = input;
  const listeners = new Set<() => void>();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const handle = createLineHandler({
    ...input,
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
  const queue = createWorkQueue({
    handle,
    onWaiting: (texts) => screen.update({ queued: texts.map(terminalSafe) }),
    onDone: () => {
      const { hint } = screen.state();
      screen.update({
        work: undefined,
        hint: hint === STOPPING ? AGAIN : hint,
        ...conversationFacts(conversation),
      });
    },
  });
  return {
    failed,
    isBusy: queue.isBusy,
    submit: (text) => {
      if (text.trim() === "") return;
      screen.editor.addToHistory(text);
      const isAtOnce = queue.isBusy() && isAlwaysReady(text);
      (isAtOnce ? handle(text) : queue.add(text)).catch(reject);
    },
    interrupt: () => {
      const { work } = screen.state();
      conversation.interrupt();
      for (const listener of listeners) listener();
      if (work !== undefined) screen.update({ work: { ...work, isStopping: true } });
      // What was to be said after the turn may no longer be what the person wants to say.
      const waiting = queue.takeWaiting();
      if (waiting.length === 0) return;
      screen.editor.setText([...waiting, screen.editor.getText()].join("\n").trim());
    },
  };
}

function isAlwaysReady(text: string): boolean {
  const parsed = parseSlash(text, SLASH_COMMANDS);
  if (parsed?.kind === "unknown") return true;
  if (parsed?.kind !== "command") return false;
  const { isAlwaysReady: isReady = false } = parsed.row;
  return typeof isReady === "boolean" ? isReady : isReady(parsed.words);
}
