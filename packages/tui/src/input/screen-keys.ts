import { isKeyRelease, matchesKey } from "@earendil-works/pi-tui";

/** What the keys of the screen itself do; everything else goes to the prompt or the open question. */
export interface KeyActions {
  readonly now: () => number;
  readonly isBusy: () => boolean;
  readonly interrupt: () => void;
  readonly typed: () => string;
  readonly clearTyped: () => void;
  readonly isCompleting: () => boolean;
  readonly cancelDialog: () => boolean;
  readonly hasDialog: () => boolean;
  readonly quit: () => void;
  readonly hint: (text: string) => void;
  readonly nextMode: () => void;
  readonly toggleDetails: () => void;
}

/** Said while a turn ends. */
export const STOPPING = "Stopping; press Ctrl-C again to quit";
/** Said when there is nothing to stop. */
export const AGAIN = "Press Ctrl-C again to quit";

const TWICE_MS = 2000;

/** True for a key that was the screen's. */
export function createKeyHandler(actions: KeyActions): (data: string) => boolean {
  let pressedAt = -Infinity;
  const interrupted = (): void => {
    const isTwice = actions.now() - pressedAt < TWICE_MS;
    pressedAt = actions.now();
    if (isTwice) return actions.quit();
    actions.cancelDialog();
    if (actions.isBusy()) {
      actions.interrupt();
      return actions.hint(STOPPING);
    }
    actions.clearTyped();
    actions.hint(AGAIN);
  };
  const escaped = (): boolean => {
    if (actions.hasDialog() || actions.isCompleting() || !actions.isBusy()) return false;
    actions.interrupt();
    return true;
  };
  const ended = (): boolean => {
    if (actions.hasDialog() || actions.typed() !== "") return false;
    if (actions.isBusy()) actions.hint("The agent is working; Ctrl-C interrupts it");
    else actions.quit();
    return true;
  };
  return (data) => {
    // Some terminals tell of a key twice: when it goes down and when it comes up.
    if (isKeyRelease(data)) return false;
    if (matchesKey(data, "ctrl+c")) {
      interrupted();
      return true;
    }
    // Twice means twice in a row.
    pressedAt = -Infinity;
    if (matchesKey(data, "escape")) return escaped();
    if (matchesKey(data, "ctrl+d")) return ended();
    const action = OTHER_KEYS.find(([key]) => matchesKey(data, key))?.[1];
    if (action === undefined || actions.hasDialog()) return false;
    actions[action]();
    return true;
  };
}

const OTHER_KEYS = [
  ["shift+tab", "nextMode"],
  ["ctrl+o", "toggleDetails"],
] as const;
