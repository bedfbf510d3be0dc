import type { Environment, NativeDirectories, SpellCommand } from "@caliban/common";
import type { BytePipe } from "@caliban/mcp/node";

/** The kind of stdin. `none` includes a closed stdin and `/dev/null`. */
export type InputKind = "terminal" | "file" | "pipe" | "none";

/** Why a run must end early: a signal, or no one reads its output any more. */
export type InterruptReason = "SIGINT" | "SIGTERM" | "SIGHUP" | "output-lost";

/** One of several answers. The first letter of its label selects it. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Everything that the program uses of the process, except files. Tests pass a literal. */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly platform: string;
  /** `undefined` when the current directory was removed. */
  readonly cwd: string | undefined;
  /** `undefined` when neither HOME nor the user database contains one. */
  readonly home: string | undefined;
  /** The data and cache directories of this platform, on Windows. */
  readonly native?: NativeDirectories | undefined;
  readonly version: string;
  /** The words that start this program again: Node, its options, and the file. */
  readonly program: readonly string[];
  /** `v24.1.0` */
  readonly nodeVersion: string;
  /** Whether stdout is a terminal, so that control characters in untrusted text must be escaped. */
  readonly isTerminal: boolean;
  /** Whether a stream is a terminal that shows colors. `NO_COLOR` turns them off. */
  readonly hasColor: (stream: "stdout" | "stderr") => boolean;
  /** Whether stdout shows bold text, which is not a color. */
  readonly hasBold: boolean;
  /** The session on whose screen a command runs; `undefined` in a shell. */
  readonly runningSession?: string | undefined;
  /** The width of the terminal; `undefined` when stdout is not one. */
  readonly columns: () => number | undefined;
  /** Whether the user can answer questions on stdin. */
  readonly isInteractive: () => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly inputKind: () => InputKind;
  /** Reads stdin to its end. */
  readonly readInput: () => Promise<string>;
  /**
   * Reads stdin to its end, or returns `undefined` when the first byte does not arrive in time: a pipe may stay open
   * and silent forever. The signal ends the read.
   */
  readonly readInputWithin: (
    firstByteMs: number,
    signal?: AbortSignal,
  ) => Promise<string | undefined>;
  /** The lines of stdin as they arrive. The signal ends them. */
  readonly inputLines: (signal: AbortSignal) => AsyncIterable<string>;
  /** Opens stdin and stdout for a protocol. Nothing else may write to stdout then. */
  readonly openPipe: () => Promise<BytePipe>;
  /** Reports the first request to end. A second one ends the process. Returns a function that stops listening. */
  readonly onInterrupt: (listener: (reason: InterruptReason) => void) => () => void;
  /** Stops this process as Ctrl-Z does, and returns when it runs again; false if no shell could continue it. */
  readonly stopJob: () => Promise<boolean>;
  /** Reports that another process stopped this one, and that it runs again. Returns a function that stops listening. */
  readonly onContinue: (listener: () => void) => () => void;
  /** Runs when the process exits, unless it is killed. It cannot be asynchronous. Returns a function that removes it. */
  readonly onExit: (listener: () => void) => () => void;
  /** Runs when the program has nothing more to do, so that what it still waits for does not keep the process alive. */
  readonly onEnd: (listener: () => void) => void;
  /** Removes variables from what other processes can read of this one. `env` keeps them. */
  readonly hideVariables: (names: readonly string[]) => Promise<void>;
  /** Asks the user on the terminal. Anything but yes is no. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Lets the user choose on the terminal; `undefined` if they choose nothing. */
  readonly choose: (question: string, choices: readonly Choice[]) => Promise<string | undefined>;
  /** Opens a file with the user's editor command and waits for it. Returns the exit code. */
  readonly openEditor: (command: string, path: string) => Promise<number>;
  /** Replaces the progress line; an empty line removes it. `undefined` when stderr is not a terminal. */
  readonly progressLine: () => ((line: string) => void) | undefined;
  /** Spells a command where messages are read: `caliban memory undo 3` in a shell, `/memory undo 3` at the prompt. */
  readonly command: SpellCommand;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Prints one message besides the result: on stderr, after the name of the program. */
  readonly report: (message: string) => void;
}
