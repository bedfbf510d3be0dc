import {
  Container,
  Editor,
  ProcessTerminal,
  setCapabilities,
  type Terminal,
} from "@earendil-works/pi-tui";
import type { Environment } from "@caliban/common";
import { createHighlighter, loadLanguages } from "../code/highlighter.ts";
import { createMainScreen } from "../drawing/main-screen.ts";
import { createDialogs, type Dialogs } from "../dialogs/dialogs.ts";
import { createTheme, type Shade, type Theme } from "../theme.ts";
import type { ScreenItem } from "../transcript/items.ts";
import { NO_SHOWN_MEMORY, type ShownMemory } from "../transcript/transcript.ts";
import { createTranscriptView } from "../transcript/transcript-view.ts";
import { createAttention, type NotifyMode } from "./attention.ts";
import { createFooterView } from "./footer.ts";
import { addPlaceholder } from "./placeholder.ts";
import { INITIAL_STATE, type ScreenState } from "./screen-state.ts";
import { createStatusView } from "./status-line.ts";
import { createTerminalControl, type TerminalControl } from "./terminal-control.ts";

/** The terminal while it shows a conversation. */
export interface Screen extends Dialogs, Omit<TerminalControl, "isActive"> {
  readonly theme: Theme;
  readonly memory: ShownMemory;
  readonly editor: Editor;
  readonly state: () => ScreenState;
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
const QUERY_MS = 200;
const PLACEHOLDER = "Ask, or type / for commands and @ for files";

/** The transcript on top, then the status line, the prompt or a question in its place, and the footer. */
export function createScreen(input: ScreenInput): Screen {
  const {
    terminal = new ProcessTerminal(),
    color,
    now,
    memory = NO_SHOWN_MEMORY,
    env = {},
  } = input;
  // Links stay visible text: a model must not be able to hide where one leads.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  let shade = shadeOf(env);
  const theme = createTheme({ color, shade: () => shade });
  let state: ScreenState = INITIAL_STATE;
  const getState = (): ScreenState => state;
  const highlighter = createHighlighter({
    theme,
    load: loadLanguages,
    onLoad: () => {
      transcript.invalidate();
      redraw();
    },
  });
  const transcript = createTranscriptView({ theme, highlighter, state: getState });
  const { tui, reprint, startOver } = createMainScreen({ terminal, transcript });
  const container = new Container();
  const editor = new Editor(tui, theme.editor, { autocompleteMaxVisible: COMPLETION_ROWS });
  addPlaceholder(editor, theme, PLACEHOLDER);
  const rows = (): number => terminal.rows;
  const attention = createAttention({ write: (output) => terminal.write(output), now, env });
  const dialogs = createDialogs({ tui, container, editor, theme, rows, now });
  const control = createTerminalControl({ tui, focused: dialogs.focused });
  tui.addChild(createStatusView({ theme, now, state: getState }));
  tui.addChild(container);
  tui.addChild(createFooterView({ theme, state: getState }));

  const redraw = (): void => {
    if (control.isActive()) tui.requestRender();
  };
  const attend = (): void => {
    const { directory, work } = state;
    const hasQuestion = dialogs.hasUnexpected();
    attention.update({ directory, startedAt: work?.startedAt, hasQuestion });
  };
  dialogs.onDialog(attend);
  const useShade = (next: Shade): void => {
    shade = next;
    transcript.invalidate();
    redraw();
  };
  const spinner = createTicker(redraw);
  const update = (change: Partial<ScreenState>): void => {
    state = { ...state, ...change };
    spinner.set(state.work !== undefined);
    if (state.isEnded) container.clear();
    redraw();
    attend();
  };
  let hintTimer: NodeJS.Timeout | undefined;
  return {
    ...dialogs,
    ...control,
    start: () => {
      control.start();
      attention.start();
    },
    stop: () => {
      attention.stop();
      control.stop();
    },
    configure: ({ theme: wanted, notify }) => {
      attention.useMode(notify);
      if (wanted !== "auto") return useShade(wanted);
      if (!color || !control.isActive() || env["COLORFGBG"] !== undefined) return;
      void tui.queryTerminalBackgroundColor({ timeoutMs: QUERY_MS }).then((background) => {
        if (background !== undefined) useShade(isBright(background) ? "light" : "dark");
      });
    },
    theme,
    memory,
    editor,
    state: getState,
    update,
    replaceTranscript: (items) => {
      startOver();
      update({ transcript: { items, stepStart: items.length }, expandedFrom: Infinity });
    },
    expandFrom: (expandedFrom) => {
      reprint();
      update({ expandedFrom });
    },
    hint: (hint) => {
      clearTimeout(hintTimer);
      update({ hint });
      hintTimer = setTimeout(() => update({ hint: undefined }), HINT_MS);
      hintTimer.unref();
    },
    onKey: (handle) => {
      tui.addInputListener((data) => (handle(data) ? { consume: true } : undefined));
    },
    rows,
    drain: async () => {
      if (control.isActive()) await terminal.drainInput(MAX_DRAIN_MS);
    },
  };
}

/** Some terminals tell their background in a variable, such as `15;0`: the last number is its color. */
function shadeOf({ COLORFGBG = "" }: Environment): Shade {
  const background = COLORFGBG.split(";").at(-1);
  return background === "7" || background === "15" ? "light" : "dark";
}

/** By how bright the three colors look. */
function isBright({
  r,
  g,
  b,
}: {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}): boolean {
  return 0.299 * r + 0.587 * g + 0.114 * b > 128;
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
