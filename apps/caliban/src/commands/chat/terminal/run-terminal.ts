import { abbreviateHome, pathStyleOf } from "@caliban/common";
import type { AskApproval } from "@caliban/mcp/node";
import type { LocalServer } from "@caliban/providers/node";
import {
  askBudget,
  askImport,
  askPlan,
  askServer,
  createBackground,
  createCompletion,
  createScreen,
  listenToKeys,
  notice,
  type Screen,
  showItem,
  showMessages,
  showNotice,
  type StartBackground,
  type Terminal,
  wantsColor,
} from "@caliban/tui";
import { createFileList, createScreenView, gitBranch } from "@caliban/tui/node";
import type { Invocation } from "../../../command.ts";
import type { AskBudget } from "../../../conversation/budget/check-budget.ts";
import type { AskPlan } from "../../../conversation/plan/ask-plan.ts";
import type { Conversation } from "../../../conversation/conversation.ts";
import { createShownMemory } from "../../../conversation/notes/note-reader.ts";
import { EXIT, type ExitCode, SIGNAL_EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import type { AskImport } from "../../../project/load-memory.ts";
import { UsageError } from "../../../usage-error.ts";
import { createChatLoop, footerFacts } from "./chat-loop.ts";
import { firstLines } from "./first-lines.ts";
import { keyActions } from "./key-actions.ts";
import { createPastedImages } from "./paste/pasted-images.ts";
import { openPromptHistory } from "./prompt-history.ts";
import { slashCompletion } from "./slash-completion.ts";

export interface RunTerminalInput {
  readonly invocation: Invocation;
  readonly screen: Screen;
  /** Being opened; it may ask questions on the screen meanwhile. */
  readonly conversation: Promise<Conversation>;
  /** Submitted at the start as if the user had typed it. */
  readonly prompt?: string | undefined;
  /** Finds model servers on this machine; those that really listen, when left out. */
  readonly findServers?: (() => Promise<readonly LocalServer[]>) | undefined;
  /** Starts work in the background once the user waits for nothing. */
  readonly startBackground?: StartBackground | undefined;
}

/**
 * Creates the screen without writing to the terminal, which is that of this process when left out.
 * @throws UsageError for a terminal that cannot show it
 */
export function openScreen(host: Host, terminal?: Terminal): Screen {
  if (host.env["TERM"] === "dumb") {
    const print = host.command('-p "…"');
    throw new UsageError(`the screen cannot be shown with TERM=dumb. To print an answer: ${print}`);
  }
  const color = wantsColor(host.env);
  return createScreen({
    terminal,
    color,
    env: host.env,
    now: host.now,
    memory: createShownMemory(),
  });
}

/** The questions that may come up while a conversation is opened. */
export interface OpeningQuestions {
  /** Asks about a file outside the workspace that an instruction file imports. */
  readonly askImport: AskImport;
  /** Asks about an MCP server that the repository requests. */
  readonly askServer: AskApproval;
  /** Asks before a request that would exceed a budget. */
  readonly askBudget: AskBudget;
  /** Shows a plan that the user approves or changes. */
  readonly askPlan: AskPlan;
}

/** Starting the screen waits for the first question, so that a failed start leaves the terminal alone. */
export function openingQuestions(screen: Screen, host: Host): OpeningQuestions {
  return {
    askImport: async ({ subject }) => {
      screen.start();
      return await askImport(screen, subject);
    },
    askBudget: async (about) => await askBudget(screen, about),
    askPlan: async (plan) => {
      const answer = await askPlan(screen, plan, async (text) => {
        const { editPlan } = await import("./edit-plan.ts");
        const report = (problem: string): void => showNotice(screen, "bad", problem);
        return await editPlan(text, { suspend: screen.suspend, host, report });
      });
      if (answer.kind === "approved") screen.update({ mode: answer.mode });
      return answer;
    },
    askServer: async (question) => {
      screen.start();
      // Loaded with the first question, because hardly any start has one.
      const { toServerQuestion } = await import("../../mcp/server-question.ts");
      return await askServer(screen, toServerQuestion(question, host));
    },
  };
}

/** Runs the interactive screen from start to end. The terminal is always restored. */
export async function runTerminal(input: RunTerminalInput): Promise<ExitCode> {
  const { screen, invocation } = input;
  const release = invocation.host.onExit(screen.stop);
  const ignoreContinue = invocation.host.onContinue(screen.reclaim);
  try {
    return await runConversation(input);
  } finally {
    screen.update({ isEnded: true, work: undefined });
    await screen.drain();
    screen.stop();
    ignoreContinue();
    release();
  }
}

async function runConversation(input: RunTerminalInput): Promise<ExitCode> {
  const { invocation, screen, prompt } = input;
  const { host } = invocation;
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
    const conversation = await Promise.race([input.conversation, end.promise]);
    if (typeof conversation === "number") return conversation;
    const ready = requested.promise;
    const history = openPromptHistory({ screen, conversation, invocation, ready });
    const images = createPastedImages({
      screen,
      host,
      workspaceRoot: conversation.receipt().workspaceRoot,
      fail: (error) => chat.fail(error),
    });
    const { imagesIn } = images;
    const chat = createChatLoop({ screen, conversation, invocation, history, imagesIn, quit });
    const background = createBackground({
      screen,
      sessionId: conversation.id,
      start: input.startBackground,
      startServers: conversation.startServers,
      ready: requested.promise,
    });
    try {
      screen.start();
      screen.configure(conversation.screenSettings());
      introduce(screen, conversation, invocation);
      void requested.promise.then(() => showBranch(screen, conversation));
      void requested.promise.then(async () => await showWaiting(screen, conversation));
      void requested.promise.then(async () => await showLocalServers(input, conversation));
      const { command } = host;
      conversation.attach(createScreenView({ screen, command, onRequest: requested.resolve }));
      keys.use(keyActions({ screen, conversation, chat, history, images, host }));
      screen.editor.onSubmit = chat.submit;
      screen.editor.disableSubmit = false;
      if (prompt !== undefined) chat.submit(prompt);
      // The first request comes before background work, but a command may never send one.
      if (prompt === undefined || prompt.startsWith("/")) requested.resolve();
      return await Promise.race([end.promise, chat.failed]);
    } finally {
      // A long-running command would keep the process alive.
      chat.interrupt();
      await leave(screen, conversation, host);
      await Promise.all([background.stop(), conversation.close(), history.close()]);
    }
  } finally {
    release();
  }
}

/** Shows everything that is on the screen before the user types anything. */
function introduce(screen: Screen, conversation: Conversation, invocation: Invocation): void {
  const { host } = invocation;
  const { workspaceRoot } = conversation.receipt();
  const { platform, cwd = workspaceRoot, home } = host;
  const directory = abbreviateHome(pathStyleOf(platform), cwd, home);
  screen.update({ ...footerFacts(conversation), workspaceRoot, directory });
  showMessages(screen, conversation.messages());
  const items = [...firstLines({ host, conversation }), ...screen.state().transcript.items];
  screen.update({ transcript: { items, stepStart: items.length } });
  const listFiles = createFileList(workspaceRoot, host);
  const slash = slashCompletion({ conversation, invocation });
  screen.editor.setAutocompleteProvider(createCompletion({ ...slash, listFiles }));
}

/** Not before the first request, which comes first. */
function showBranch(screen: Screen, conversation: Conversation): void {
  screen.update({ branch: gitBranch(conversation.receipt().workspaceRoot) });
}

/** Mentions proposals that wait for the user. Looks for them only after the first request. */
async function showWaiting(screen: Screen, conversation: Conversation): Promise<void> {
  const count = await conversation.waitingProposals();
  if (count === 0) return;
  const what = count === 1 ? "1 proposal waits" : `${count} proposals wait`;
  showItem(screen, notice("plain", `${what} in the inbox: /memory inbox`));
}

/** Without a model, names the servers on this machine that have one. */
async function showLocalServers(
  { screen, findServers }: RunTerminalInput,
  conversation: Conversation,
): Promise<void> {
  if (!conversation.model().startsWith("offline/")) return;
  const { findLocalServers } = await import("@caliban/providers/node");
  const { serverLines } = await import("./connect-lines.ts");
  const lines = serverLines(await (findServers ?? findLocalServers)());
  // The user may have chosen a model or left in the meantime.
  if (!conversation.model().startsWith("offline/") || screen.state().isEnded) return;
  for (const line of lines) showItem(screen, notice("plain", line));
}

/** Leaves the transcript in the terminal, with a line that says how to resume. */
async function leave(screen: Screen, conversation: Conversation, { command }: Host): Promise<void> {
  conversation.interrupt();
  // A turn that waits for an answer could not end.
  screen.closeDialogs();
  if (conversation.isSaved() && conversation.messages().length > 0) {
    showItem(screen, notice("plain", `Resume with: ${command(`--resume ${conversation.id()}`)}`));
  }
  screen.update({ isEnded: true, work: undefined });
  await screen.drain();
  screen.stop();
}
