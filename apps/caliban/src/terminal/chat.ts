import { terminalSafe } from "@caliban/common";
import type { Conversation } from "../agent/conversation.ts";
import type { Invocation } from "../command.ts";
import { parseSlash } from "../slash/parse-slash.ts";
import { runSlash } from "../slash/run-slash.ts";
import type { SlashResult } from "../slash/slash-command.ts";
import { SLASH_COMMANDS } from "../slash/slash-table.ts";
import { conversationFacts } from "./conversation-facts.ts";
import { createScreenPerson } from "./screen-person.ts";
import { NEW_WORK } from "./screen-state.ts";
import type { Screen } from "./screen.ts";
import { showMessages } from "./show.ts";
import { notice, withItem } from "./transcript.ts";
import { createWorkQueue } from "./work-queue.ts";

/** What the person does with a conversation. */
export interface Chat {
  /** A whole line, or several, that the person sent off. */
  readonly submit: (text: string) => void;
  readonly interrupt: () => void;
  readonly isBusy: () => boolean;
  /** Never settles but by rejecting: a bug of ours. */
  readonly failed: Promise<never>;
}

interface ChatInput {
  readonly screen: Screen;
  readonly conversation: Conversation;
  readonly invocation: Invocation;
  readonly quit: () => void;
}

/** Sends what the person says to the model, or does what a slash command asks for. */
export function createChat({ screen, conversation, invocation, quit }: ChatInput): Chat {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const person = createScreenPerson(screen);
  const { now } = invocation.host;

  const say = async (text: string): Promise<void> => {
    const { transcript } = screen.state();
    screen.update({
      transcript: withItem(transcript, { kind: "person", text }),
      expandedFrom: Infinity,
      work: { ...NEW_WORK, startedAt: now() },
    });
    await conversation.send(text);
  };
  const show = async (line: string, result: SlashResult): Promise<void> => {
    if (result.kind === "quit") return quit();
    if (result.kind === "send") return await say(result.text);
    if (result.kind === "renewed") showMessages(screen, conversation);
    showAnswer(screen, line, result);
  };
  const handle = async (text: string): Promise<void> => {
    const result = await runSlash(text, { conversation, invocation, person });
    await (result === undefined ? say(text) : show(text, result));
  };
  const queue = createWorkQueue({
    handle,
    onWaiting: (texts) => screen.update({ queued: texts.map(terminalSafe) }),
    onDone: () => screen.update({ work: undefined, ...conversationFacts(conversation) }),
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
  return parsed?.kind === "command" && parsed.row.isAlwaysReady === true;
}

function showAnswer(
  screen: Screen,
  line: string,
  result: SlashResult & { readonly text: string },
): void {
  const text = result.text.trimEnd();
  const { transcript } = screen.state();
  const asked = withItem(transcript, { kind: "person", text: line });
  if (text === "") return screen.update({ transcript: asked });
  const item = result.kind === "text" ? ({ kind: "output", text } as const) : undefined;
  const tone = result.kind === "mistake" ? "bad" : "plain";
  screen.update({ transcript: withItem(asked, item ?? notice(tone, text)) });
}
