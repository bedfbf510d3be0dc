import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { ProcessTerminal, setCapabilities, type Terminal } from "@earendil-works/pi-tui";
import type { Conversation, ConversationView } from "../../../agent/conversation.ts";
import type { Invocation } from "../../../command.ts";
import { EXIT, type ExitCode, SIGNAL_EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import type { AskApproval } from "../../../../../../packages/mcp/src/node/trust/approve-servers.ts";
import { type AskImport, askImport } from "../../../../../../packages/tui/src/questions/ask-import.ts";
import { askPermission } from "../../../../../../packages/tui/src/questions/ask-permission.ts";
import { askServer } from "../../../../../../packages/tui/src/questions/ask-server.ts";
import { createBackground, type StartBackground } from "./background-work.ts";
import { createChat } from "./chat.ts";
import { createCompletion } from "../../../../../../packages/tui/src/input/completion.ts";
import { conversationFacts } from "./conversation-facts.ts";
import { createDeltaBuffer } from "../../../../../../packages/tui/src/transcript/delta-buffer.ts";
import { firstLines } from "./first-lines.ts";
import { createKeys, keyActions } from "./key-actions.ts";
import { createFileList } from "../../../../../../packages/tui/src/node/list-files.ts";
import { createScreen, type Screen } from "../../../../../../packages/tui/src/screen/screen.ts";
import { showEvent, showMessages } from "../../../../../../packages/tui/src/screen/show.ts";
import { createTheme, wantsColor } from "../../../../../../packages/tui/src/theme.ts";
import { notice, type Transcript, withItem } from "../../../../../../packages/tui/src/transcript/transcript.ts";

/** What the screen offers a conversation. */
export interface TerminalView extends ConversationView {
  readonly ask: NonNullable<ConversationView["ask"]>;
  /** Asked about files outside the workspace that instructions import. */
  readonly askImport: AskImport;
  /** Asked about MCP servers that the repository wishes for. */
  readonly askServer: AskApproval;
}

export interface RunTerminalInput {
  readonly host: Host;
  readonly invocation: Invocation;
  readonly open: (view: TerminalView) => Promise<Conversation>;
  /** What is said at once, as if it were typed. */
  readonly prompt?: string | undefined;
  /** What goes on beside the conversation, once nobody waits for anything. */
  readonly startBackground?: StartBackground | undefined;
  /** The process's own when left out. */
  readonly terminal?: Terminal;
}

/** The interactive screen, from the first line to the last. Whatever happens, the terminal is given back. */
export async function runTerminal(input: RunTerminalInput): Promise<ExitCode> {
  const { host } = input;
  if (host.env["TERM"] === "dumb") {
    host.stderr(
      'caliban: this terminal (TERM=dumb) cannot show the screen; use `caliban -p "…"`\n',
    );
    return EXIT.usage;
  }
  // Links stay visible text: what a model wrote must not hide where it leads.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const theme = createTheme({ color: wantsColor(host.env) });
  const screen = createScreen({
    terminal: input.terminal ?? new ProcessTerminal(),
    theme,
    now: host.now,
  });
  const release = host.onExit(screen.stop);
  try {
    return await converse(screen, input);
  } finally {
    screen.update({ isEnded: true, work: undefined });
    await screen.drain();
    screen.stop();
    release();
  }
}

async function converse(screen: Screen, input: RunTerminalInput): Promise<ExitCode> {
  const { host, invocation, prompt } = input;
  const end = Promise.withResolvers<ExitCode>();
  const quit = (): void => end.resolve(EXIT.done);
  const release = host.onInterrupt((reason) => {
    end.resolve(reason === "output-lost" ? EXIT.failed : SIGNAL_EXIT[reason]);
  });
  const keys = createKeys(screen, quit);
  // What is sent off before somebody listens would be lost.
  screen.editor.disableSubmit = true;
  const asked = Promise.withResolvers<void>();
  try {
    const view = viewOf(screen, host, asked.resolve);
    const conversation = await Promise.race([input.open(view), end.promise]);
    if (typeof conversation === "number") return conversation;
    const chat = createChat({ screen, conversation, invocation, quit });
    const background = createBackground({
      screen,
      sessionId: conversation.id,
      start: input.startBackground,
      startServers: conversation.startServers,
      ready: asked.promise,
    });
    try {
      screen.start();
      introduce(screen, conversation, host);
      keys.use(keyActions({ screen, conversation, chat, host }));
      screen.editor.onSubmit = chat.submit;
      screen.editor.disableSubmit = false;
      if (prompt !== undefined) chat.submit(prompt);
      // What is said at once is asked first of all; a command may never ask.
      if (prompt === undefined || prompt.startsWith("/")) asked.resolve();
      return await Promise.race([end.promise, chat.failed]);
    } finally {
      // A command that takes a while would keep the process.
      chat.interrupt();
      await leave(screen, conversation);
      await Promise.all([background.stop(), conversation.close()]);
    }
  } finally {
    release();
  }
}

function viewOf(screen: Screen, host: Host, onAsked: () => void): TerminalView {
  const emit = createDeltaBuffer({
    emit: (event) => showEvent(screen, event),
    delayMs: () => collectingMs(screen.state().transcript),
  });
  return {
    emit: (event) => {
      emit(event);
      if (event.type === "step-start" || event.type === "turn-end") onAsked();
    },
    notify: (line) => {
      const tone = line.startsWith("memory: ") ? "good" : "plain";
      screen.update({ transcript: withItem(screen.state().transcript, notice(tone, line)) });
    },
    ask: async (question) => await askPermission(screen, question),
    askImport: async (approval) => {
      // Before there is a conversation: a start that fails without a question leaves the terminal alone.
      screen.start();
      return await askImport(screen, approval);
    },
    askServer: async (question) => {
      screen.start();
      return await askServer(screen, host, question);
    },
  };
}

const LEAST_COLLECTING_MS = 40;
const CHARACTERS_A_MS = 200;

/** The longer an answer is, the longer it takes to show, and the more is shown at a time. */
function collectingMs({ items }: Transcript): number {
  const last = items.at(-1);
  const length = last?.kind === "answer" ? last.text.length : 0;
  return LEAST_COLLECTING_MS + length / CHARACTERS_A_MS;
}

/** Everything that stands on the screen before the person says a word. */
function introduce(screen: Screen, conversation: Conversation, host: Host): void {
  const { workspaceRoot } = conversation.receipt();
  const { platform, cwd = workspaceRoot, home } = host;
  const directory = abbreviateHome(pathStyleOf(platform), cwd, home);
  screen.update({ ...conversationFacts(conversation), workspaceRoot, directory });
  // What was said while the conversation was opened comes last, where it is seen.
  const said = screen.state().transcript.items;
  showMessages(screen, conversation);
  const items = [
    ...firstLines({ host, conversation }),
    ...screen.state().transcript.items,
    ...said,
  ];
  screen.update({ transcript: { items, stepStart: items.length } });
  const listFiles = createFileList(workspaceRoot, host);
  screen.editor.setAutocompleteProvider(createCompletion({ listFiles }));
}

/** The transcript stays in the terminal, with a line that says how to come back. */
async function leave(screen: Screen, conversation: Conversation): Promise<void> {
  conversation.interrupt();
  // A turn that waits for an answer could not end.
  screen.closeDialogs();
  const isWorthIt = conversation.isSaved() && conversation.messages().length > 0;
  const line = notice("plain", `To go on: caliban --resume ${conversation.id()}`);
  const { transcript } = screen.state();
  screen.update({
    isEnded: true,
    work: undefined,
    transcript: isWorthIt ? withItem(transcript, line) : transcript,
  });
  await screen.drain();
  screen.stop();
}
