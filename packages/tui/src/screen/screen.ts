import {
  Container,
  Editor,
  ProcessTerminal,
  setCapabilities,
  type Terminal,
} from "@earendil-works/pi-tui";
import type { Environment } from "@caliban/common";
import { createMainScreen, type MainScreen } from "../drawing/main-screen.ts";
import { createDialogs, type Dialogs } from "../dialogs/dialogs.ts";
import { cleanPastes, cleanTexts } from "../input/prompt-text.ts";
import type { Shade, Theme } from "../theme.ts";
import type { ScreenItem } from "../transcript/items.ts";
import { NO_SHOWN_MEMORY, type ShownMemory } from "../transcript/transcript.ts";
import { createTranscriptView } from "../transcript/transcript-view.ts";
import { type Appearance, createAppearance } from "./appearance.ts";
import { type Attention, createAttention, type NotifyMode } from "./attention.ts";
import { createFooterView } from "./footer.ts";
import { keepCursorAtEnd } from "./history-cursor.ts";
import { addPlaceholder } from "./placeholder.ts";
import { INITIAL_STATE, type ScreenState } from "./screen-state.ts";
import { createStatusView } from "./status-line.ts";
import { createTerminalControl, type TerminalControl } from "./terminal-control.ts";

/** The terminal while it shows a conversation. */
export interface Screen extends Dialogs, Omit<TerminalControl, "isActive" | "suspend"> {
  readonly theme: Theme;
  readonly memory: ShownMemory;
  readonly editor: Editor;
  readonly state: () => ScreenState;
  /** Leaves the terminal to something else until the action is done: a program of the user, or their shell. */
  readonly suspend: <Result>(
    action: () => Promise<Result>,
    options?: { readonly isShell?: boolean },
  ) => Promise<Result>;
  /** Merges a change into the state and redraws soon. */
  readonly update: (change: Partial<ScreenState>) => void;
  /** Shows other items on an empty screen; what was shown before stays in the scrollback. */
  readonly replaceTranscript: (items: readonly ScreenItem[]) => void;
  /** Shows thoughts and outputs in full from this item on, also where they have scrolled off. */
  readonly expandFrom: (index: number) => void;
  /** Shows a text in the footer for a moment. */
  readonly hint: (text: string) => void;
  /** Adds a listener that sees every key first; true for a key that goes no further. */
  readonly onKey: (handle: (data: string) => boolean) => void;
  readonly rows: () => number;
  /** Applies the settings of the user, once they are known. */
  readonly configure: (settings: ScreenSettings) => void;
  /** Waits briefly for late replies of the terminal and the last key, so that the shell does not read them. */
  readonly drain: () => Promise<void>;
}

/** The settings `ui.theme` and `ui.notify`. */
export interface ScreenSettings {
  readonly theme: "auto" | Shade;
  readonly notify: NotifyMode;
}

export interface ScreenInput {
  /** Tells what terminal it is; an unknown one when left out. */
  readonly env?: Environment | undefined;
  /** The terminal of this process when left out. */
  readonly terminal?: Terminal | undefined;
  readonly color: boolean;
  readonly now: () => number;
  readonly memory?: ShownMemory | undefined;
}

const COMPLETION_ROWS = 8;
const TICK_MS = 100;
const HINT_MS = 2000;
const MAX_DRAIN_MS = 200;
const PLACEHOLDER = "Ask, or type / for commands and @ for files";

/** The transcript on top, then the status line, the prompt or a question in its place, and the footer. */
export function createScreen(input: ScreenInput): Screen {
  let state: ScreenState = INITIAL_STATE;
  const parts = createParts(input, () => state);
  const { terminal, dialogs, control, attention, tui } = parts;
  const attend = (): void => {
    const { directory, work } = state;
    const hasQuestion = dialogs.hasUnexpected();
    attention.update({ directory, startedAt: work?.startedAt, hasQuestion });
  };
  dialogs.onDialog(attend);
  const spinner = createTicker(parts.redraw);
  const update = (change: Partial<ScreenState>): void => {
    state = { ...state, ...change };
    spinner.set(state.work !== undefined);
    if (state.isEnded) parts.container.clear();
    parts.redraw();
    attend();
  };
  const clearHint = createDelay(HINT_MS, () => update({ hint: undefined }));
  return {
    ...dialogs,
    ...control,
    ...terminalUse(parts),
    configure: ({ theme, notify }) => {
      attention.useMode(notify);
      if (control.isActive()) void parts.appearance.useShade(theme, tui);
    },
    theme: parts.appearance.theme,
    memory: input.memory ?? NO_SHOWN_MEMORY,
    editor: parts.editor,
    state: () => state,
    update,
    replaceTranscript: (items) => {
      parts.startOver();
      update({ transcript: { items, stepStart: items.length }, expandedFrom: Infinity });
    },
    expandFrom: (expandedFrom) => {
      parts.reprint();
      update({ expandedFrom });
    },
    hint: (hint) => {
      update({ hint });
      clearHint();
    },
    onKey: (handle) => {
      tui.addInputListener((data) => (handle(data) ? { consume: true } : undefined));
    },
    rows: () => terminal.rows,
    drain: async () => {
      if (control.isActive()) await terminal.drainInput(MAX_DRAIN_MS);
    },
  };
}

/** Takes and leaves the terminal together with its title. */
function terminalUse({ control, attention }: Parts): Pick<Screen, "start" | "stop" | "suspend"> {
  return {
    start: () => {
      control.start();
      attention.start();
    },
    stop: () => {
      attention.stop();
      control.stop();
    },
    suspend: async (action, { isShell = false } = {}) => {
      // A shell shows its own title.
      if (isShell) attention.stop();
      try {
        return await control.suspend(action);
      } finally {
        if (isShell && control.isActive()) attention.start();
      }
    },
  };
}

interface Parts extends MainScreen {
  readonly terminal: Terminal;
  readonly appearance: Appearance;
  readonly attention: Attention;
  readonly container: Container;
  readonly editor: Editor;
  readonly dialogs: Dialogs;
  readonly control: TerminalControl;
  readonly redraw: () => void;
}

function createParts(
  { terminal = new ProcessTerminal(), color, now, env = {} }: ScreenInput,
  state: () => ScreenState,
): Parts {
  // Links stay visible text: a model must not be able to hide where one leads.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const appearance = createAppearance({
    color,
    env,
    onChange: () => {
      transcript.invalidate();
      redraw();
    },
  });
  const { theme, highlighter } = appearance;
  const transcript = createTranscriptView({ theme, highlighter, state });
  const main = createMainScreen({ terminal, transcript });
  const { tui } = main;
  const container = new Container();
  const editor = new Editor(tui, theme.editor, { autocompleteMaxVisible: COMPLETION_ROWS });
  addPlaceholder(editor, theme, PLACEHOLDER);
  keepCursorAtEnd(editor);
  cleanPastes(editor);
  cleanTexts(editor);
  const rows = (): number => terminal.rows;
  const dialogs = createDialogs({ tui, container, editor, theme, rows, now });
  const { continueBelow } = main;
  const control = createTerminalControl({ tui, focused: dialogs.focused, continueBelow });
  const redraw = (): void => {
    if (control.isActive()) tui.requestRender();
  };
  const attention = createAttention({ write: (output) => terminal.write(output), now, env });
  tui.addChild(createStatusView({ theme, now, state }));
  tui.addChild(container);
  tui.addChild(createFooterView({ theme, state }));
  return { ...main, terminal, appearance, attention, container, editor, dialogs, control, redraw };
}

/** Runs an action after a delay, which starts again with each call. Does not keep the process alive. */
function createDelay(delayMs: number, action: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, delayMs).unref();
  };
}

/** Repeats an action while it is turned on, without keeping the process alive. */
function createTicker(action: () => void): { readonly set: (isOn: boolean) => void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    set: (isOn) => {
      if (isOn) {
        timer ??= setInterval(action, TICK_MS).unref();
        return;
      }
      clearInterval(timer);
      timer = undefined;
    },
  };
}
