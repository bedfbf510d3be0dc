import { terminalSafe, typedPart } from "@caliban/common";
import {
  createScreenUser,
  createWorkQueue,
  NEW_WORK,
  type ParsedSlash,
  QUIT_HINT,
  type Screen,
  type ScreenState,
  type ScreenUser,
  showItem,
  showMessages,
  showNotice,
  showSent,
  STOPPING_HINT,
  type WorkQueue,
} from "@caliban/tui";
import { gitBranch } from "@caliban/tui/node";
import { type Cost, formatDollars } from "@caliban/providers";
import type { Invocation } from "../../../command.ts";
import type { Conversation } from "../../../conversation/conversation.ts";
import { runSlash } from "../slash/run-slash.ts";
import type { SlashResult, SlashRow } from "../slash/slash-command.ts";
import { parseLine } from "./parse-line.ts";
import type { PastedImages } from "./paste/pasted-images.ts";
import type { PromptHistory } from "./prompt-history.ts";

/** Passes what the user types to the conversation. */
export interface ChatLoop {
  /** Takes a message or a slash command. */
  readonly submit: (text: string) => void;
  /** Runs the slash command of a key. It does not become part of the history. */
  readonly run: (command: string) => void;
  readonly interrupt: () => void;
  readonly isBusy: () => boolean;
  /** Never resolves, and rejects only for a bug in caliban. */
  readonly failed: Promise<never>;
  /** Reports such a bug. */
  readonly fail: (error: unknown) => void;
}

interface ChatLoopInput {
  readonly screen: Screen;
  readonly conversation: Conversation;
  readonly invocation: Invocation;
  readonly history: Pick<PromptHistory, "add">;
  readonly imagesIn: PastedImages["imagesIn"];
  readonly quit: () => void;
}

/** A submitted line, parsed once: `slash` is `undefined` for a message to the model. */
interface Line {
  readonly text: string;
  readonly slash: ParsedSlash<SlashRow> | undefined;
}

/** Handles one line at a time; lines submitted while the agent works are queued. */
export function createChatLoop(input: ChatLoopInput): ChatLoop {
  const { screen, conversation, history } = input;
  const listeners = new Set<() => void>();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const handle = createLineHandler(input, {
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    // A command keeps its place in the queue, and so do the messages after it.
    takeMessages: () => queue.takeWaiting(({ slash }) => slash === undefined),
  });
  const queue: WorkQueue<Line> = createWorkQueue({
    handle,
    onWaiting: (lines) => screen.update({ queued: lines.map(({ text }) => terminalSafe(text)) }),
    onDone: () => {
      const { hint } = screen.state();
      screen.update({
        work: undefined,
        hint: hint === STOPPING_HINT ? QUIT_HINT : hint,
        ...footerFacts(conversation),
        // A command may have switched it.
        branch: gitBranch(conversation.receipt().workspaceRoot),
      });
    },
  });
  const passOn = async (line: Line): Promise<void> => {
    const { slash } = line;
    if (!queue.isBusy()) return await queue.add(line);
    const runsNow =
      slash?.kind === "unknown"
        ? !(await isQueued(slash, { conversation, invocation: input.invocation }))
        : runsWhileBusy(slash);
    return runsNow ? await handle(line) : await queue.add(line);
  };
  return {
    failed,
    fail: reject,
    isBusy: queue.isBusy,
    submit: (text) => {
      if (text.trim() === "") return;
      if (queue.isBusy() && ANSWER_KEY.test(text.trim())) {
        screen.editor.setText(text.trim());
        return screen.hint(NO_QUESTION);
      }
      history.add(text);
      const line: Line = { text, slash: parseLine(text) };
      passOn(line).catch(reject);
    },
    run: (text) => void queue.add({ text, slash: parseLine(text) }).catch(reject),
    interrupt: () => {
      const { work } = screen.state();
      conversation.interrupt();
      for (const listener of listeners) listener();
      if (work !== undefined) screen.update({ work: { ...work, isStopping: true } });
      // The user may no longer want to send what was queued behind the interrupted turn.
      const waiting = queue.takeWaiting().map(({ text }) => text);
      if (waiting.length === 0) return;
      screen.editor.setText([...waiting, screen.editor.getText()].join("\n").trim());
    },
  };
}

/** Meant for a question that is not there yet, or no longer. The model could make nothing of it. */
const ANSWER_KEY = /^[a-z\d]$/i;
const NO_QUESTION = "Not sent: this answers a question, but none is open";

function runsWhileBusy(slash: ParsedSlash<SlashRow> | undefined): boolean {
  if (slash?.kind !== "command") return false;
  const { runsWhileBusy: runs = false } = slash.row;
  return typeof runs === "boolean" ? runs : runs(slash.words);
}

/** Whether a name that is not built in sends a message, rather than being a typo that is reported now. */
async function isQueued(
  slash: ParsedSlash<SlashRow> & { readonly kind: "unknown" },
  input: Pick<ChatLoopInput, "conversation" | "invocation">,
): Promise<boolean> {
  const { isNamed } = await import("../slash/run-named.ts");
  return slash.name !== "" && (await isNamed(slash, input));
}

interface LineSources extends Pick<ScreenUser, "onInterrupt"> {
  /** Takes the messages that wait for the end of the turn. */
  readonly takeMessages: () => readonly Line[];
}

/** Sends a line to the model, or runs its slash command, to the end. */
function createLineHandler(
  { screen, conversation, invocation, imagesIn, quit }: ChatLoopInput,
  { onInterrupt, takeMessages }: LineSources,
): (line: Line) => Promise<void> {
  const user = createScreenUser(screen, { onInterrupt });
  const showTyped = (text: string): void => showItem(screen, { kind: "user", text });
  const startWork = (): void => {
    const startedAt = invocation.host.now();
    screen.update({ expandedFrom: Infinity, work: { ...NEW_WORK, startedAt } });
  };
  const send = async (text: string, notices: readonly string[] = []): Promise<void> => {
    showSent(screen, text);
    for (const line of notices) showNotice(screen, "plain", line);
    startWork();
    const outcome = await conversation.send(text, {
      imagesIn,
      takeMessages: () => {
        const texts = takeMessages().map((line) => line.text);
        for (const sent of texts) showTyped(sent);
        return texts;
      },
    });
    if (outcome.kind !== "not-sent") return;
    // The text of a command's file is added again; in the prompt, it would become the user's own words.
    screen.editor.setText([typedPart(text), screen.editor.getText()].join("\n").trim());
  };
  const runCommand = async (text: string, slash: ParsedSlash<SlashRow>): Promise<void> => {
    const { transcript } = screen.state();
    showTyped(text);
    if (takesLong(slash)) startWork();
    const result = await runSlash(slash, { conversation, invocation, user });
    if (result.kind === "quit") return quit();
    if (result.kind === "send") {
      screen.update({ transcript });
      return await send(result.text, result.notices);
    }
    if (result.kind === "switched") {
      showMessages(screen, conversation.messages());
      showTyped(text);
      offerPrompt(screen, result.prompt);
    }
    showResult(screen, result);
  };
  return async ({ text, slash }) =>
    slash === undefined ? await send(text) : await runCommand(text, slash);
}

/** Lets the user edit a text and send it. What was typed meanwhile stays. */
function offerPrompt({ editor }: Screen, text: string | undefined): void {
  if (text !== undefined && editor.getText() === "") editor.setText(text);
}

function takesLong(slash: ParsedSlash<SlashRow>): boolean {
  if (slash.kind !== "command") return false;
  const { takesLong: takes = false } = slash.row;
  return typeof takes === "boolean" ? takes : takes(slash.words);
}

function showResult(screen: Screen, { kind, text }: SlashResult & { readonly text: string }): void {
  if (text.trim() === "") return;
  if (kind === "text") return showItem(screen, { kind: "output", text: text.trimEnd() });
  showNotice(screen, kind === "error" ? "bad" : "plain", text.trimEnd());
}

/** What the footer shows about a conversation. */
export function footerFacts(
  conversation: Conversation,
): Pick<ScreenState, "model" | "mode" | "usedPercent" | "noteCount" | "cost"> {
  const { windowTokens, parts } = conversation.windowUse();
  const used = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    model: conversation.model(),
    mode: conversation.policy().mode,
    usedPercent: windowTokens === 0 ? 0 : Math.round((used / windowTokens) * 100),
    noteCount: conversation.notes().count,
    cost: shownCost(conversation.spent().cost),
  };
}

/** Nothing while nothing was spent. A plus marks that some models have no known price. */
function shownCost({ dollars, unpriced }: Cost): string | undefined {
  if (dollars === 0) return undefined;
  return `${formatDollars(dollars)}${unpriced.length === 0 ? "" : "+"}`;
}
