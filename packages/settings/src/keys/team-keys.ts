import type { RowOf } from "./setting-row.ts";

/** Every setting of `[memory.team]` by its full key, with the type of its value. */
export interface TeamValues {
  readonly "memory.team.enabled": boolean;
  readonly "memory.team.auto": boolean;
  /** `ask`, `off`, or `type:` and types of topics. */
  readonly "memory.team.share": string;
  readonly "memory.team.cap_tokens": number;
}

/**
 * One row per setting of `[memory.team]`. A repository can only turn it off. There is no key for the remote: it is part of
 * what the user decides with `caliban memory team init`.
 */
export const TEAM_KEYS: { readonly [Key in keyof TeamValues]: RowOf<TeamValues[Key]> } = {
  "memory.team.enabled": {
    kind: "switch",
    default: true,
    project: "turn-off",
    doc: "Whether the memory of a team is used in projects that you connected to one. See [team memory](team-memory.md).",
  },
  "memory.team.auto": {
    kind: "switch",
    default: false,
    project: "turn-off",
    doc: "Whether team memory is synced in the background, after the first request of a session and at its end. Otherwise only `caliban memory team sync` connects to the remote.",
  },
  "memory.team.share": {
    kind: "sharing",
    default: "ask",
    project: "turn-off",
    doc: 'What may be shared: `"ask"` asks about each topic; `"type:project,reference"` shares topics of these types when you sync, except those that untrusted text may have suggested; `"off"` shares nothing.',
  },
  "memory.team.cap_tokens": {
    kind: "tokens",
    default: 2_000,
    project: "make-smaller",
    doc: "Maximum tokens of the team's topics in the prompt. They also count towards memory.cap_tokens_auto.",
  },
};
