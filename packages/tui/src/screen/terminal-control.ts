import type { Component, TUI } from "@earendil-works/pi-tui";

interface TerminalLeaseInput {
  readonly tui: TUI;
  /** What typing goes to. */
  readonly focused: () => Component;
}

/** Who has the terminal: the screen, or somebody else. */
export interface TerminalLease {
  readonly isHeld: () => boolean;
  /** Takes the terminal; a second time does nothing. */
  readonly start: () => void;
  /** Gives the terminal back as it was, for good; a second time does nothing. */
  readonly stop: () => void;
  /** Leaves the terminal to something else for as long as it runs. */
  readonly lend: <Result>(use: () => Promise<Result>) => Promise<Result>;
}

export function createTerminalLease({ tui, focused }: TerminalLeaseInput): TerminalLease {
  let isHeld = false;
  let isOver = false;
  const start = (): void => {
    // Whoever borrowed the terminal may give it back when there is nobody left to take it.
    if (isOver || isHeld) return;
    isHeld = true;
    tui.start();
    tui.setFocus(focused());
  };
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    try {
      // The last picture, because what was asked for to be shown may still wait for its turn.
      tui.renderNow();
    } finally {
      tui.stop();
    }
  };
  return {
    isHeld: () => isHeld,
    start,
    stop: () => {
      isOver = true;
      release();
    },
    lend: async (use) => {
      release();
      try {
        return await use();
      } finally {
        start();
        if (isHeld) tui.requestRender(true);
      }
    },
  };
}
