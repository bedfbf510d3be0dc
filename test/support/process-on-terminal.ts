import { type IPty, spawn } from "@lydell/node-pty";

/** A process in a pseudo-terminal of 100 by 40 characters. */
export interface ProcessOnTerminal extends Pick<IPty, "pid" | "write" | "kill"> {
  /** Everything it has written so far. */
  readonly written: () => string;
  /** Resolves once it has written the text. */
  readonly printed: (text: string) => Promise<void>;
}

export interface StartOnTerminalInput {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a process that nothing ends but its caller, for use outside of tests. */
export function startOnTerminal(
  [command = "", ...args]: readonly string[],
  { cwd, env }: StartOnTerminalInput,
): ProcessOnTerminal {
  const child = spawn(command, args, { cwd, env, cols: 100, rows: 40, name: "xterm-256color" });
  let written = "";
  const listeners = new Set<() => void>();
  child.onData((data) => {
    written += data;
    for (const look of listeners) look();
  });
  const printed = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!written.includes(text)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  return {
    pid: child.pid,
    write: (data) => {
      child.write(data);
    },
    kill: (signal) => {
      child.kill(signal);
    },
    written: () => written,
    printed,
  };
}
