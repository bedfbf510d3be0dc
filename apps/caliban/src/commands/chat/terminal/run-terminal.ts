import { resolve } from "node:path";
import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import type { AskApproval } from "@caliban/mcp/node";
import { recalledSlugs } from "@caliban/memory";
import {
  askImport,
  askPermission,
  askServer,
  createCompletion,
  createDeltaBuffer,
  createScreen,
  type KeyActions,
  listenToKeys,
  notice,
  type Screen,
  showEvent,
  showItem,
  showMessages,
  showNotice,
  type Terminal,
  type TextFormat,
  type Transcript,
  wantsColor,
} from "@caliban/tui";
import { createFileList } from "@caliban/tui/node";
import type { Invocation } from "../../../command.ts";
import type { Conversation } from "../../../conversation/conversation.ts";
import type { ConversationView } from "../../../conversation/turn/view.ts";
import { EXIT, type ExitCode, SIGNAL_EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import type { AskImport } from "../../../project/load-memory.ts";
import { MODE_DESCRIPTIONS, nextMode } from "../slash/permission-modes.ts";
import { renderCommandReferences } from "../slash/command-references.ts";
import { SLASH_COMMANDS } from "../slash/slash-table.ts";
import { createBackground, type StartBackground } from "./background-work.ts";
import { type ChatLoop, createChatLoop } from "./chat-loop.ts";
import { firstLines } from "./first-lines.ts";
import { footerFacts } from "./footer-facts.ts";

/** The questions that may come up while a conversation is opened. */
export interface OpeningQuestions {
  /** Asks about a file outside the workspace that an instruction file imports. */
  readonly askImport: AskImport;
  /** Asks about an MCP server that the repository requests. */
  readonly askServer: AskApproval;
}

export interface RunTerminalInput {
  readonly host: Host;
  readonly invocation: Invocation;
  readonly open: (questions: OpeningQuestions) => Promise<Conversation>;
  /** Submitted at the start as if the user had typed it. */
  readonly prompt?: string | undefined;
  /** Starts work in the background once the user waits for nothing. */
  readonly startBackground?: StartBackground | undefined;
  /** The terminal of this process when left out. */
  readonly terminal?: Terminal;
}

/** Runs the interactive screen from start to end. The terminal is always restored. */
export async function runTerminal(input: RunTerminalInput): Promise<ExitCode> {
  const { host, terminal } = input;
  if (host.env["TERM"] === "dumb") {
    host.stderr(
      'caliban: the interactive screen needs a terminal other than TERM=dumb. Use: caliban -p "…"\n',
    );
    return EXIT.usage;
  }
  const color = wantsColor(host.env);
  const screen = createScreen({ terminal, color, now: host.now, format: SCREEN_FORMAT });
  const release = host.onExit(screen.stop);
  try {
    return await runConversation(screen, input);
  } finally {
    screen.update({ isEnded: true, work: undefined });
    await screen.drain();
    screen.stop();
    release();
  }
}

/** Commands are named as they are typed at the prompt; so are those in answers of the offline model, which is ours. */
const SCREEN_FORMAT: TextFormat = {
  recalledTopics: recalledSlugs,
  message: renderCommandReferences,
  answer: (text, model) => (model.startsWith("offline/") ? renderCommandReferences(text) : text),
};

async function runConversation(screen: Screen, input: RunTerminalInput): Promise<ExitCode> {
  const { host, invocation, prompt } = input;
  const end = Promise.withResolvers<ExitCode>();
  const quit = (): void => end.resolve(EXIT.done);
  const release = host.onInterrupt((reason) => {
    end.resolve(reason === "output-lost" ? EXIT.failed : SIGNAL_EXIT[reason]);
  });
  const keys = listenToKeys(screen, quit);
  // A message sent before anything handles it would be lost.
  screen.editor.disableSubmit = true;
  const requested = Promise.withResolvers<void>();
  try {
    const conversation = await Promise.race([
      input.open(openingQuestions(screen, host)),
      end.promise,
    ]);
    if (typeof conversation === "number") return conversation;
    const chat = createChatLoop({ screen, conversation, invocation, quit });
    const background = createBackground({
      screen,
      sessionId: conversation.id,
      start: input.startBackground,
      startServers: conversation.startServers,
      ready: requested.promise,
    });
    try {
      screen.start();
      introduce(screen, conversation, host);
      conversation.attach(createView(screen, requested.resolve));
      keys.use(keyActions({ screen, conversation, chat, host }));
      screen.editor.onSubmit = chat.submit;
      screen.editor.disableSubmit = false;
      if (prompt !== undefined) chat.submit(prompt);
      // The first request comes before background work, but a command may never send one.
      if (prompt === undefined || prompt.startsWith("/")) requested.resolve();
      return await Promise.race([end.promise, chat.failed]);
    } finally {
      // A long-running command would keep the process alive.
      chat.interrupt();
      await leave(screen, conversation);
      await Promise.all([background.stop(), conversation.close()]);
    }
  } finally {
    release();
  }
}

/** Starting the screen waits for the first question, so that a failed start leaves the terminal alone. */
function openingQuestions(screen: Screen, host: Host): OpeningQuestions {
  return {
    askImport: async ({ subject }) => {
      screen.start();
      return await askImport(screen, subject);
    },
    askServer: async (question) => {
      screen.start();
      // Loaded with the first question, because hardly any start has one.
      const { toServerQuestion } = await import("../../mcp/server-question.ts");
      return await askServer(screen, toServerQuestion(question, host));
    },
  };
}

const MAX_PREVIOUS_BYTES = 256 * 1024;

function createView(screen: Screen, onRequest: () => void): ConversationView {
  const emit = createDeltaBuffer({
    emit: (event) => showEvent(screen, event),
    delayMs: () => collectMs(screen.state().transcript),
  });
  return {
    emit: (event) => {
      emit(event);
      if (event.type === "step-start" || event.type === "turn-end") onRequest();
    },
    notify: ({ kind, message }) =>
      showNotice(screen, kind === "memory" ? "good" : "plain", message),
    ask: async (question) =>
      await askPermission(screen, question, async (path) => {
        const { workspaceRoot } = screen.state();
        const file = readTextFile(resolve(workspaceRoot, path), MAX_PREVIOUS_BYTES);
        return file.kind === "text" ? file.text : undefined;
      }),
  };
}

const MIN_COLLECT_MS = 40;
const CHARACTERS_PER_MS = 200;

/** A long answer takes longer to render, so more of it is collected per frame. */
function collectMs({ items }: Transcript): number {
  const last = items.at(-1);
  const length = last?.kind === "answer" ? last.text.length : 0;
  return MIN_COLLECT_MS + length / CHARACTERS_PER_MS;
}

/** Shows everything that is on the screen before the user types anything. */
function introduce(screen: Screen, conversation: Conversation, host: Host): void {
  const { workspaceRoot } = conversation.receipt();
  const { platform, cwd = workspaceRoot, home } = host;
  const directory = abbreviateHome(pathStyleOf(platform), cwd, home);
  screen.update({ ...footerFacts(conversation), workspaceRoot, directory });
  showMessages(screen, conversation.messages());
  const items = [...firstLines({ host, conversation }), ...screen.state().transcript.items];
  screen.update({ transcript: { items, stepStart: items.length } });
  const listFiles = createFileList(workspaceRoot, host);
  screen.editor.setAutocompleteProvider(createCompletion({ commands: SLASH_COMMANDS, listFiles }));
}

interface KeyActionsInput {
  readonly screen: Screen;
  readonly conversation: Conversation;
  readonly chat: ChatLoop;
  readonly host: Host;
}

function keyActions(input: KeyActionsInput): Omit<KeyActions, "quit"> {
  const { screen, conversation, chat, host } = input;
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
    switchMode: () => {
      const mode = nextMode(conversation.policy().mode);
      conversation.useMode(mode);
      screen.update(footerFacts(conversation));
      screen.hint(`Mode: ${mode} (${MODE_DESCRIPTIONS[mode]})`);
    },
    toggleDetails: () => {
      const { expandedFrom, transcript } = screen.state();
      const lastMessage = transcript.items.findLastIndex(({ kind }) => kind === "user");
      screen.update({
        expandedFrom: expandedFrom === Infinity ? Math.max(0, lastMessage) : Infinity,
      });
    },
  };
}

/** Leaves the transcript in the terminal, with a line that says how to resume. */
async function leave(screen: Screen, conversation: Conversation): Promise<void> {
  conversation.interrupt();
  // A turn that waits for an answer could not end.
  screen.closeDialogs();
  if (conversation.isSaved() && conversation.messages().length > 0) {
    showItem(screen, notice("plain", `Resume with: caliban --resume ${conversation.id()}`));
  }
  screen.update({ isEnded: true, work: undefined });
  await screen.drain();
  screen.stop();
}
