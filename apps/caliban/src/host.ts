import type { Environment, NativeDirectories } from "@caliban/common";
import type { BytePipe } from "@caliban/mcp/node";

/** What stdin is: nothing to read is also a closed one, or `/dev/null`. */
export type InputKind = "terminal" | "file" | "pipe" | "none";

/** Why a run is to end before its end: a signal, or nobody reads its output any more. */
export type InterruptReason = "SIGINT" | "SIGTERM" | "SIGHUP" | "output-lost";

/** Everything the program takes from the machine besides files. Tests pass a literal. */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly platform: string;
  /** `undefined` when the current directory was removed. */
  readonly cwd: string | undefined;
  /** `undefined` when neither HOME nor the user database names one. */
  readonly home: string | undefined;
  /** The data and cache directories of this platform, on Windows. */
  readonly native?: NativeDirectories | undefined;
  readonly version: string;
  /** `v24.1.0` */
  readonly nodeVersion: string;
  /** Whether a person looks at stdout, so that control characters in untrusted text must be made visible. */
  readonly isTerminal: boolean;
  /** Whether a stream is a terminal that shows colors. `NO_COLOR` turns them off. */
  readonly hasColor: (stream: "stdout" | "stderr") => boolean;
  /** Whether a person types on stdin, so that questions can be asked. */
  readonly isInteractive: () => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly inputKind: () => InputKind;
  /** Everything on stdin, to its end. */
  readonly readInput: () => Promise<string>;
  /**
   * The same, but `undefined` when not one byte comes in this time: a pipe may be open and silent for ever. The signal
   * ends it in the middle.
   */
  readonly readInputWithin: (
    firstByteMs: number,
    signal?: AbortSignal,
  ) => Promise<string | undefined>;
  /** The lines of stdin as they come; the signal ends them. */
  readonly inputLines: (signal: AbortSignal) => AsyncIterable<string>;
  /** stdin and stdout for a protocol that nothing else may speak into. */
  readonly openPipe: () => Promise<BytePipe>;
  /** Tells of the first wish to end; the second one ends the process. Gives back how to stop listening. */
  readonly onInterrupt: (listener: (reason: InterruptReason) => void) => () => void;
  /** Runs last, however the process ends but by force; gives back how to take it off. It cannot wait for anything. */
  readonly onExit: (listener: () => void) => () => void;
  /** Asks the person at the terminal; anything but yes is no. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Opens a file with a command of the person's, in the terminal, and waits; the exit code of the command. */
  readonly openEditor: (command: string, path: string) => Promise<number>;
  /** Shows one line in the place of the one before; `undefined` where nobody looks. An empty one ends it. */
  readonly progressLine: () => ((line: string) => void) | undefined;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
