import type { CommandRow, OptionRow } from "./command-row.ts";

/** `--deny` and `--ask` belong to every command; here they say what they mean for a topic. */
const RULE_OPTIONS: readonly OptionRow[] = [
  {
    flags: "--deny <rule>",
    doc: "Refuse a matching call, e.g. 'Bash(npm *)' (repeatable)",
    repeatable: true,
  },
  { flags: "--ask <rule>", doc: "Ask before a matching call (repeatable)", repeatable: true },
  {
    flags: "--note <rule>",
    doc: "Add the topic's description to the result of a matching call (repeatable)",
    repeatable: true,
  },
];

/** Subcommands of `caliban memory` that turn topics into permission rules. */
export const ENFORCE_COMMANDS: readonly CommandRow[] = [
  {
    name: "enforce",
    operands: "[slug]",
    doc: "Turn a topic into permission rules, or list such rules",
    details:
      "Shows where the rules would have matched in past sessions, and asks. Only `--off` lifts them.",
    example: "caliban memory enforce use-pnpm --deny 'Bash(npm *)'",
    options: [
      ...RULE_OPTIONS,
      { flags: "--user", doc: "Apply the rules in every project" },
      { flags: "--off", doc: "Lift the rules of the topic, or those that are named" },
      { flags: "--yes", doc: "Do not ask for confirmation" },
    ],
  },
  {
    name: "backtest",
    operands: "<slug>",
    doc: "Show where rules would have matched in past sessions",
    details: "Without a rule, tests the enforced rules of the topic, or what it applies to.",
    example: "caliban memory backtest use-pnpm --deny 'Bash(npm *)'",
    options: RULE_OPTIONS,
  },
];

/** Subcommands of `caliban memory` about what the agent proposes. */
export const INBOX_COMMANDS: readonly CommandRow[] = [
  {
    name: "inbox",
    operands: "[action] [id]",
    doc: "Review what the agent proposes to remember",
    details:
      "Lists the proposals. `show` prints one, `accept` saves it, `reject` removes it, and `review` asks about one after another.",
    example: { command: "memory inbox accept 1f0c9a2b" },
    options: [
      { flags: "--edit", doc: "Edit the text in $VISUAL or $EDITOR before accepting it" },
      { flags: "--all", doc: "Accept or reject all proposals" },
      { flags: "--force", doc: "Accept even if the topic changed since" },
    ],
  },
];
