import type { Component, TUI } from "@earendil-works/pi-tui";

interface TerminalControlInput {
  readonly tui: TUI;
  /** Draws the next frame below whatever is on the terminal. */
  readonly continueBelow: () => void;
  /** The component that receives keys. */
  readonly focused: () => Component;
}

/** Takes over the terminal, suspends that, and gives the terminal back. */
export interface TerminalControl {
  readonly isActive: () => boolean;
  /** Takes over the terminal; a second call does nothing. */
  readonly start: () => void;
  /** Restores the terminal for good; a second call does nothing. */
  readonly stop: () => void;
  /** Leaves the terminal to something else, such as an editor, until the action is done. */
  readonly suspend: <Result>(action: () => Promise<Result>) => Promise<Result>;
  /** Takes the terminal again after something else used it unexpectedly, such as a shell that stopped this process. */
  readonly reclaim: () => void;
}

export function createTerminalControl({
  tui,
  focused,
  continueBelow,
}: TerminalControlInput): TerminalControl {
  let isActive = false;
  let isStopped = false;
  const start = (): void => {
    // An editor may exit after the screen was stopped.
    if (isStopped || isActive) return;
    isActive = true;
    tui.start();
    tui.setFocus(focused());
  };
  const release = (): void => {
    if (!isActive) return;
    isActive = false;
    try {
      // Draws the last frame now, because a requested one may still be pending.
      tui.renderNow();
    } finally {
      tui.stop();
    }
  };
  return {
    isActive: () => isActive,
    start,
    stop: () => {
      isStopped = true;
      release();
    },
    reclaim: () => {
      if (!isActive) return;
      continueBelow();
      // Both, because the modes of the terminal are no longer those that were set.
      tui.stop();
      tui.start();
      tui.requestRender(true);
    },
    suspend: async (action) => {
      release();
      try {
        return await action();
      } finally {
        start();
        if (isActive) tui.requestRender(true);
      }
    },
  };
}
