import type { CommandRow } from "./command-row.ts";

/** Subcommands of `caliban memory team`, which share topics through a git remote. */
export const TEAM_COMMANDS: readonly CommandRow[] = [
  {
    name: "team",
    doc: "Share topics with a team through a git remote",
    details:
      "Without a subcommand, shows the state. Topics are on a ref of their own, `refs/caliban/memory`, and never on a branch. See docs/team-memory.md.",
    example: { command: "memory team" },
    options: [{ flags: "--yes", doc: "Do not ask for confirmation" }],
    subcommands: [
      {
        name: "init",
        operands: "<remote>",
        doc: "Connect this project to the memory of a team",
        details:
          "The remote is a URL, a path, or the name of a remote of this repository. Explains who can read what is shared, asks, and syncs.",
        example: { command: "memory team init origin" },
      },
      {
        name: "status",
        doc: "Show what is shared, what waits and what is not used",
        example: { command: "memory team status" },
      },
      {
        name: "sync",
        doc: "Get what others share, and send what you share",
        example: { command: "memory team sync" },
        options: [
          {
            flags: "--accept-rewrite",
            doc: "Continue with the remote's history if it was replaced",
          },
          { flags: "--background", doc: "Ask and print nothing; caliban itself uses it" },
        ],
      },
      {
        name: "log",
        operands: "[slug]",
        doc: "Show who shared and changed what",
        example: { command: "memory team log deploy-checklist" },
        options: [
          { flags: "--limit <number>", doc: "Show at most this many changes (default 20)" },
        ],
      },
      {
        name: "share",
        operands: "<slug>",
        doc: "Give a topic of this project to the team",
        details:
          "Shows the text, and asks the first time. The topic moves to the team. To change it later, write a topic with the same name and share that.",
        example: { command: "memory team share deploy-checklist" },
      },
      {
        name: "unshare",
        operands: "<slug>",
        doc: "Take a topic back, and remove it for everyone",
        details: "The history of the git remote keeps the text.",
        example: { command: "memory team unshare deploy-checklist" },
      },
      {
        name: "approve",
        operands: "[key]",
        doc: "Use what this SSH key signs without asking",
        details: "Without a key, lists the authors of changes that wait.",
        example: { command: "memory team approve SHA256:mVPw…" },
      },
      {
        name: "revoke",
        operands: "<key>",
        doc: "Let later changes by this key wait again",
        example: { command: "memory team revoke SHA256:mVPw…" },
      },
      {
        name: "leave",
        doc: "Stop using the memory of the team, and delete its local copy",
        details: "The remote keeps everything.",
        example: { command: "memory team leave" },
        options: [{ flags: "--force", doc: "Leave even if changes were not sent" }],
      },
    ],
  },
];
