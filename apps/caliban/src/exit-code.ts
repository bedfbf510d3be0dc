/** What the process says to the shell when it ends. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  nothingFound: 3,
  /** A tool call was refused for want of permission, and all else went well. */
  denied: 4,
  /** The model, its provider or the network. */
  model: 5,
  /** As shells have it: 128 and the number of the signal. */
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** How a process ends that was told to by a signal. */
export const SIGNAL_EXIT: Readonly<Record<"SIGINT" | "SIGTERM" | "SIGHUP", ExitCode>> = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hungUp,
};
