import { Container, Editor, type Terminal, type TUI, TuiMainScreen } from "@earendil-works/pi-tui";
import { createDialogs, type Dialogs } from "../dialogs/dialogs.ts";
import { createFooterView, createStatusView } from "./status-line.ts";
import { FIRST_STATE, type ScreenState } from "./screen-state.ts";
import { createTerminalLease, type TerminalLease } from "./terminal-control.ts";
import type { Theme } from "../theme.ts";
import { createTranscriptView } from "../transcript/transcript-view.ts";

/** The terminal while a conversation is shown in it. */
export interface Screen extends Dialogs, Omit<TerminalLease, "isHeld"> {
  readonly theme: Theme;
  readonly editor: Editor;
  readonly state: () => ScreenState;
  /** Takes over what changed and shows it soon. */
  readonly update: (change: Partial<ScreenState>) => void;
  /** Says something in the footer for a moment. */
  readonly hint: (text: string) => void;
  /** Has every key seen first; true for one that goes no further. */
  readonly onKey: (handle: (data: string) => boolean) => void;
  readonly rows: () => number;
  /** Waits a moment for what a terminal still tells of itself and of the last key, so that no shell reads it. */
  readonly drain: () => Promise<void>;
}

interface ScreenInput {
  readonly terminal: Terminal;
  readonly theme: Theme;
  readonly now: () => number;
}

const ROWS_OF_COMPLETION = 8;
const TICK_MS = 100;
const HINT_MS = 2000;
const MOST_DRAINING_MS = 200;

/** Transcript on top, then what goes on, the prompt or a question in its place, and the footer. */
export function createScreen({ terminal, theme, now }: ScreenInput): Screen {
  let state: ScreenState = FIRST_STATE;
  const getState = (): ScreenState => state;
  const tui: TUI = new TuiMainScreen(terminal);
  const place = new Container();
  const editor = new Editor(tui, theme.editor, { autocompleteMaxVisible: ROWS_OF_COMPLETION });
  const rows = (): number => terminal.rows;
  const dialogs = createDialogs({ tui, place, editor, theme, rows, now });
  const lease = createTerminalLease({ tui, focused: dialogs.focused });
  tui.addChild(createTranscriptView({ theme, state: getState }));
  tui.addChild(createStatusView({ theme, now, state: getState }));
  tui.addChild(place);
  tui.addChild(createFooterView({ theme, state: getState }));

  const showSoon = (): void => {
    if (lease.isHeld()) tui.requestRender();
  };
  const spinning = createRepetition(showSoon);
  const update = (change: Partial<ScreenState>): void => {
    state = { ...state, ...change };
    spinning.set(state.work !== undefined);
    if (state.isEnded) place.clear();
    showSoon();
  };
  let hintTimer: NodeJS.Timeout | undefined;
  return {
    ...dialogs,
    ...lease,
    theme,
    editor,
    state: getState,
    update,
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
      if (lease.isHeld()) await terminal.drainInput(MOST_DRAINING_MS);
    },
  };
}

/** Does something again and again while it is turned on; it keeps no process alive. */
function createRepetition(action: () => void): { readonly set: (isOn: boolean) => void } {
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
