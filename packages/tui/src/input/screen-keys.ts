import { isKeyRelease, matchesKey } from "@earendil-works/pi-tui";

/** What the keys of the screen itself do; all other keys go to the prompt or the open question. */
export interface KeyActions {
  readonly now: () => number;
  readonly isBusy: () => boolean;
  readonly interrupt: () => void;
  readonly typedText: () => string;
  readonly clearTyped: () => void;
  readonly isCompleting: () => boolean;
  readonly cancelDialog: () => boolean;
  readonly hasDialog: () => boolean;
  readonly quit: () => void;
  readonly hint: (text: string) => void;
  readonly switchMode: () => void;
  readonly toggleDetails: () => void;
  readonly searchHistory: () => void;
  /** Puts the image in the clipboard into the prompt. */
  readonly pasteImage: () => void;
  /** Takes a pasted text; false leaves it to the prompt. */
  readonly pasteText: (text: string) => boolean;
  /** Offers earlier messages to go back to. */
  readonly rewind: () => void;
  readonly editMessage: () => void;
  readonly suspendJob: () => void;
}

/** Listens to the keys of a screen: until there are actions, Ctrl-C cancels the open question and quits. */
export function listenToKeys(
  screen: {
    readonly onKey: (handle: (data: string) => boolean) => void;
    readonly cancelDialog: () => boolean;
  },
  quit: () => void,
): { readonly use: (actions: Omit<KeyActions, "quit">) => void } {
  let handle = (data: string): boolean => {
    if (!matchesKey(data, "ctrl+c")) return false;
    screen.cancelDialog();
    quit();
    return true;
  };
  screen.onKey((data) => handle(data));
  return {
    use: (actions) => {
      handle = createKeyHandler({ ...actions, quit });
    },
  };
}

/** Shown while a turn ends. */
export const STOPPING_HINT = "Stopping; press Ctrl-C again to quit";
/** Shown when there is nothing to stop. */
export const QUIT_HINT = "Press Ctrl-C again to quit";

const DOUBLE_ESCAPE = "\u001B\u001B";
const REWIND_HINT = "Press Esc again to go back to an earlier message";

const DOUBLE_PRESS_MS = 2000;

/** Returns a handler that is true for a key that belongs to the screen. */
function createKeyHandler(actions: KeyActions): (data: string) => boolean {
  let pressedAt = -Infinity;
  let escapedAt = -Infinity;
  const onInterrupt = (): void => {
    const isSecondPress = actions.now() - pressedAt < DOUBLE_PRESS_MS;
    pressedAt = actions.now();
    if (isSecondPress) return actions.quit();
    actions.cancelDialog();
    if (actions.isBusy()) {
      actions.interrupt();
      return actions.hint(STOPPING_HINT);
    }
    actions.clearTyped();
    actions.hint(QUIT_HINT);
  };
  const onEscape = (): boolean => {
    if (actions.hasDialog() || actions.isCompleting()) return false;
    if (actions.isBusy()) {
      actions.interrupt();
      return true;
    }
    return actions.typedText() === "" && onIdleEscape();
  };
  const onIdleEscape = (): boolean => {
    const isSecondPress = actions.now() - escapedAt < DOUBLE_PRESS_MS;
    escapedAt = isSecondPress ? -Infinity : actions.now();
    if (isSecondPress) actions.rewind();
    else actions.hint(REWIND_HINT);
    return true;
  };
  const onEndOfInput = (): boolean => {
    if (actions.hasDialog() || actions.typedText() !== "") return false;
    if (actions.isBusy()) actions.hint("The agent is working; press Ctrl-C to interrupt it");
    else actions.quit();
    return true;
  };
  return (data) => {
    // Some terminals report a key twice: when it is pressed and when it is released.
    if (isKeyRelease(data)) return false;
    if (matchesKey(data, "ctrl+c")) {
      onInterrupt();
      return true;
    }
    // Any other key in between resets the double press.
    pressedAt = -Infinity;
    const pasted = pastedText(data);
    if (pasted !== undefined) return !actions.hasDialog() && actions.pasteText(pasted);
    if (matchesKey(data, "escape")) return onEscape();
    // Two presses at once arrive as one key.
    if (data === DOUBLE_ESCAPE) return [onEscape(), onEscape()].some(Boolean);
    escapedAt = -Infinity;
    if (matchesKey(data, "ctrl+d")) return onEndOfInput();
    if (matchesKey(data, "ctrl+z")) {
      actions.suspendJob();
      return true;
    }
    const action = OTHER_KEYS.find(([key]) => matchesKey(data, key))?.[1];
    if (action === undefined || actions.hasDialog()) return false;
    actions[action]();
    return true;
  };
}

const OTHER_KEYS = [
  ["shift+tab", "switchMode"],
  ["ctrl+o", "toggleDetails"],
  ["ctrl+r", "searchHistory"],
  ["ctrl+v", "pasteImage"],
  ["ctrl+g", "editMessage"],
] as const;

const PASTE_START = "\u001B[200~";
const PASTE_END = "\u001B[201~";

/** The text of a bracketed paste, which arrives as a whole. */
function pastedText(data: string): string | undefined {
  const isPaste = data.startsWith(PASTE_START) && data.endsWith(PASTE_END);
  return isPaste ? data.slice(PASTE_START.length, -PASTE_END.length) : undefined;
}
