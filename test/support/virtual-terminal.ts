import type { Terminal } from "../../packages/tui/src/index.ts";
import xterm from "@xterm/headless";

/** An in-memory terminal that accepts keys and renders a screen. */
export interface VirtualTerminal extends Terminal {
  /** Types text, or the bytes of a key. */
  readonly type: (keys: string) => Promise<void>;
  /** The visible lines, without blank lines at the end. */
  readonly screen: () => Promise<string>;
  /** All lines that can be seen by scrolling back, without blank lines at the end. */
  readonly scrollback: () => Promise<string>;
  /** Everything written so far, with its escape sequences. */
  readonly written: () => string;
  readonly waitFor: (text: string | RegExp) => Promise<string>;
  readonly resize: (columns: number, rows: number) => void;
  readonly isStarted: () => boolean;
  /** How often late input was drained. */
  readonly drains: () => number;
}

const MAX_WAIT_MS = 60_000;

export function createVirtualTerminal({ columns = 80, rows = 24 } = {}): VirtualTerminal {
  const emulator = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 5000,
    allowProposedApi: true,
  });
  let output = "";
  let drains = 0;
  let onInput: ((data: string) => void) | undefined;
  let onResize: (() => void) | undefined;
  const write = (data: string): void => {
    output += data;
    emulator.write(data);
  };
  const scrollback = async (): Promise<string> => {
    await new Promise<void>((resolve) => emulator.write("", resolve));
    const { active } = emulator.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
  };
  const screen = async (): Promise<string> => {
    await new Promise<void>((resolve) => emulator.write("", resolve));
    const buffer = emulator.buffer.active;
    const lines = Array.from(
      { length: emulator.rows },
      (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
  };
  return {
    start: (input, resize) => {
      onInput = input;
      onResize = resize;
    },
    stop: () => {
      onInput = undefined;
      onResize = undefined;
    },
    drainInput: async () => {
      drains += 1;
    },
    drains: () => drains,
    write,
    get columns() {
      return emulator.cols;
    },
    get rows() {
      return emulator.rows;
    },
    get kittyProtocolActive() {
      return false;
    },
    moveBy: (lines) => write(lines > 0 ? `\u001B[${lines}B` : `\u001B[${-lines}A`),
    hideCursor: () => write("\u001B[?25l"),
    showCursor: () => write("\u001B[?25h"),
    clearLine: () => write("\u001B[K"),
    clearFromCursor: () => write("\u001B[J"),
    clearScreen: () => write("\u001B[2J\u001B[H"),
    setTitle: () => undefined,
    setProgress: () => undefined,
    type: async (keys) => {
      onInput?.(keys);
      await pause(30);
    },
    screen,
    scrollback,
    written: () => output,
    waitFor: async (text) => {
      const end = Date.now() + MAX_WAIT_MS;
      for (;;) {
        const seen = await screen();
        if (typeof text === "string" ? seen.includes(text) : text.test(seen)) return seen;
        if (Date.now() > end) throw new Error(`${String(text)} did not appear on:\n${seen}`);
        await pause(10);
      }
    },
    resize: (newColumns, newRows) => {
      emulator.resize(newColumns, newRows);
      onResize?.();
    },
    isStarted: () => onInput !== undefined,
  };
}

async function pause(delayMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, delayMs));
}
