import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import { childEnvironment } from "./child-environment.ts";
import { PROGRAM } from "./run-caliban.ts";

/** The bytes that terminals send for keys. */
export const KEY = {
  enter: "\r",
  altEnter: "\u001B\r",
  escape: "\u001B",
  tab: "\t",
  shiftTab: "\u001B[Z",
  up: "\u001B[A",
  down: "\u001B[B",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlG: "\u0007",
  ctrlO: "\u000F",
  ctrlR: "\u0012",
  ctrlW: "\u0017",
  ctrlZ: "\u001A",
  left: "\u001B[D",
  backspace: "\u007F",
  home: "\u001B[H",
  end: "\u001B[F",
  altLeft: "\u001B[1;3D",
  ctrlRight: "\u001B[1;5C",
} as const;

/** The built program in a pseudo-terminal, as a user sees it. */
export interface Pty {
  readonly pid: number;
  readonly type: (keys: string) => void;
  /** Writes bytes that need not end with a whole character. */
  readonly write: (bytes: Buffer) => void;
  /** Pastes text as from the clipboard. */
  readonly paste: (text: string) => void;
  /** Types a line, and submits it once the prompt shows it. */
  readonly sendLine: (line: string) => Promise<void>;
  /** The visible lines, without blank lines at the end. */
  readonly screen: () => Promise<string>;
  /** Returns the screen once it contains the text. */
  readonly waitFor: (text: string | RegExp, timeoutMs?: number) => Promise<string>;
  /** All lines that can be seen by scrolling back, without blank lines at the end. */
  readonly scrollback: () => Promise<string>;
  /** Everything the program has written so far. */
  readonly written: () => string;
  readonly resize: (columns: number, rows: number) => void;
  readonly kill: (signal: string) => void;
  readonly exit: Promise<{ readonly exitCode: number; readonly signal?: number | undefined }>;

  readonly isCursorHidden: () => boolean;
  /** The column of the cursor, from 0. */
  readonly cursorColumn: () => number;
}

export interface PtyInput {
  readonly home: string;
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** Runs this file with these arguments instead of the built program. */
  readonly command?: readonly [string, ...string[]];
}

const MAX_WAIT_MS = 60_000;

/** Starts the program in a terminal of its own. It is killed if it is still running at the end of the test. */
export function startPty(input: PtyInput): Pty {
  const { home, cwd, args = [], env = {}, columns = 90, rows = 30 } = input;
  const [file, ...rest] = input.command ?? [...PROGRAM, ...args];
  const child = spawn(file, rest, {
    name: env["TERM"] ?? "xterm-256color",
    cols: columns,
    rows,
    cwd,
    env: { ...childEnvironment(home), LANG: "C.UTF-8", ...env },
  });
  // The library accepts bytes, too; its types do not say so.
  const binary: { write(data: string | Buffer): void } = child;
  const emulator = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 5000,
    allowProposedApi: true,
  });
  let written = "";
  child.onData((data) => {
    written += data;
    emulator.write(data);
  });
  let hasEnded = false;
  const exit = new Promise<{ exitCode: number; signal?: number | undefined }>((resolve) => {
    child.onExit((end) => {
      hasEnded = true;
      resolve(end);
    });
  });
  onTestFinished(async () => {
    if (!hasEnded) child.kill("SIGKILL");
    await exit;
    emulator.dispose();
  });

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
    const { active } = emulator.buffer;
    return Array.from(
      { length: emulator.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    )
      .join("\n")
      .trimEnd();
  };
  const waitFor = async (text: string | RegExp, timeoutMs = MAX_WAIT_MS): Promise<string> => {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const seen = await screen();
      if (typeof text === "string" ? seen.includes(text) : text.test(seen)) return seen;
      if (Date.now() > end) throw new Error(`${String(text)} did not appear on:\n${seen}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    pid: child.pid,
    type: (keys) => child.write(keys),
    write: (bytes) => binary.write(bytes),
    paste: (text) => child.write(`\u001B[200~${text.replaceAll("\n", "\r")}\u001B[201~`),
    sendLine: async (line) => {
      child.write(line);
      await waitFor(line.slice(-20));
      child.write(KEY.enter);
    },
    screen,
    scrollback,
    waitFor,
    written: () => written,
    resize: (newColumns, newRows) => {
      child.resize(newColumns, newRows);
      emulator.resize(newColumns, newRows);
    },
    kill: (signal) => child.kill(signal),
    exit,
    cursorColumn: () => emulator.buffer.active.cursorX,
    isCursorHidden: () => written.lastIndexOf("\u001B[?25l") > written.lastIndexOf("\u001B[?25h"),
  };
}
