import type { OptionRow } from "./command-row.ts";

/** Options of a conversation with the agent, which is what happens when no command is named. */
export const CONVERSATION_OPTIONS: readonly OptionRow[] = [
  {
    flags: "-p, --print [text]",
    doc: "Answer this text, or what is piped in, on stdout and end; never asks.",
  },
  { flags: "--output-format <format>", doc: "With -p: `text` (default), `json` or `stream-json`." },
  {
    flags: "--input-format <format>",
    doc: "With -p: `text` (default), or `stream-json` for one message a line on stdin.",
  },
  { flags: "--max-turns <number>", doc: "Most requests to the model for one message." },
  {
    flags: "--model <provider/model>",
    doc: "Use this model, such as `anthropic/claude-sonnet-5-5` or `offline/rehearsal`.",
    alsoFor: ["doctor"],
  },
  {
    flags: "--mode <mode>",
    doc: "Permissions: `default`, `accept-edits`, `plan` or `yolo`.",
    alsoFor: ["prompt"],
  },
  {
    flags: "--system <text>",
    doc: "Put this in the place of caliban's own system prompt; memory stays.",
    alsoFor: ["prompt"],
  },
  {
    flags: "--system-file <path>",
    doc: "The same, from a file.",
    alsoFor: ["prompt"],
  },
  {
    flags: "--append-system-prompt <text>",
    doc: "Put this at the end of the system prompt.",
    alsoFor: ["prompt"],
  },
  { flags: "-c, --continue", doc: "Go on with the latest session of this workspace." },
  {
    flags: "-r, --resume [id]",
    doc: "Go on with a session; without an id, choose one on the screen.",
  },
  { flags: "--session <name>", doc: "Go on with the session of this name, or begin it." },
  { flags: "--no-save", doc: "Keep no record of this session." },
  {
    flags: "--no-learn",
    doc: "Keep this session out of what the background pipeline learns from.",
  },
];
