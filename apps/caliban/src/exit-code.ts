/** The exit codes of the process. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  nothingFound: 3,
  /** A tool call was denied, and everything else went well. */
  denied: 4,
  /** The model, its provider or the network failed. */
  model: 5,
  /** The next request would have exceeded a budget. */
  budget: 6,
  /** 128 plus the number of the signal, as in shells. */
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code after a signal. */
export const SIGNAL_EXIT: Readonly<Record<"SIGINT" | "SIGTERM" | "SIGHUP", ExitCode>> = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hungUp,
};
