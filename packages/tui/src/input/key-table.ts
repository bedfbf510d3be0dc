/** One row per key of the screen; `/help` and the docs are made from it. */
export const KEYS: readonly { readonly keys: string; readonly doc: string }[] = [
  { keys: "Enter", doc: "Send; while the agent works, the message waits for its turn." },
  { keys: "Shift+Enter, Alt+Enter, \\ Enter", doc: "A new line." },
  { keys: "/ and @", doc: "Complete a command, or a file." },
  { keys: "Up, Down", doc: "What was sent before." },
  { keys: "Shift+Tab", doc: "Another mode: default, accept-edits, plan." },
  {
    keys: "Ctrl-O",
    doc: "Show the thoughts of the last turn and the first 200 lines of each tool output, or less again.",
  },
  { keys: "PgDn, PgUp, Ctrl-O", doc: "Turn the pages of a question that does not fit." },
  { keys: "Ctrl-C, Esc", doc: "Interrupt the agent. Ctrl-C twice quits." },
  { keys: "Ctrl-D", doc: "Quit, on an empty line." },
];
