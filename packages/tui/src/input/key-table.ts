/** One row per key of the screen; `/help` and the docs are generated from it. */
export const KEYS: readonly { readonly keys: string; readonly doc: string }[] = [
  {
    keys: "Enter",
    doc: "Send the message; while the agent works, it reads it with the next tool result",
  },
  { keys: "Shift+Enter, Alt+Enter, \\ Enter", doc: "Insert a line break" },
  { keys: "/ and @", doc: "Complete a command, or a file or directory to attach to the message" },
  { keys: "Ctrl-V", doc: "Attach the image in the clipboard; a dropped image file works, too" },
  { keys: "# at the start", doc: "Save the line to memory, like /remember" },
  {
    keys: "! at the start",
    doc: "Run a command yourself; the model reads its output with your next message",
  },
  { keys: "Up, Down", doc: "Browse the messages you sent" },
  { keys: "Ctrl-R", doc: "Search the messages you sent, in this session and before" },
  { keys: "Ctrl-G", doc: "Edit the message in $VISUAL or $EDITOR" },
  { keys: "Home, End", doc: "Move to the start or end of the line; also Ctrl-A and Ctrl-E" },
  { keys: "Alt+Left, Alt+Right", doc: "Move by a word; also Ctrl+Left and Ctrl+Right" },
  {
    keys: "Ctrl-W, Ctrl-U, Ctrl-K",
    doc: "Delete the word before, or to the start or end of the line; Ctrl-Y inserts it again",
  },
  { keys: "Shift+Tab", doc: "Switch the permission mode: default, accept-edits, plan" },
  {
    keys: "Ctrl-O",
    doc: "Show or hide the thoughts of the last turn and up to 200 lines of each tool output",
  },
  { keys: "PgDn, PgUp, Ctrl-O", doc: "Page through a question that does not fit" },
  { keys: "Ctrl-C, Esc", doc: "Interrupt the agent; Ctrl-C twice quits" },
  { keys: "Esc Esc", doc: "Go back to an earlier message, when the prompt is empty" },
  { keys: "Ctrl-Z", doc: "Suspend caliban; fg continues it" },
  { keys: "Ctrl-D", doc: "Quit, when the prompt is empty" },
];
