import type { EvidenceState } from "../topics/evidence-state.ts";

/** What happens in a conversation that a memory may apply to. */
export type NoteTrigger =
  | { readonly kind: "message"; readonly text: string }
  | {
      readonly kind: "file";
      readonly action: "read" | "edit" | "create";
      /** Relative to the workspace root, with forward slashes. */
      readonly path: string;
      /** The lines that were read or changed. */
      readonly text: string;
    }
  | { readonly kind: "command"; readonly command: string };

export interface NoteRequest {
  readonly trigger: NoteTrigger;
  /** The user's last message, which says what a call is for. */
  readonly message?: string | undefined;
  /** Whether the session was already told about a memory, by its address. */
  readonly isKnown: (address: string) => boolean;
  /** Whether rules let the agent read a memory, by its address. */
  readonly isReadable: (address: string) => boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** A memory in its own words, for the moment it applies. */
export interface Note {
  /** Plain text without secrets: at most 80 tokens together with `was`, cut at the end of a sentence. Not escaped yet. */
  readonly text: string;
  readonly source: NoteSource;
  /** What held before, if the memory replaces something. */
  readonly was?: { readonly text: string; readonly untilMs: number } | undefined;
  /** The parts of its score, for `search --why`. */
  readonly why: NoteReason;
}

export type NoteSource = {
  /**
   * `memory://topics/<slug>`, the same below `memory://user/` and `memory://team/`,
   * `memory://root/MEMORY.md#<section>.<character>`, or `session:<id>#<byte>`: unique, and shown once.
   */
  readonly address: string;
  /** When it was written or said. */
  readonly atMs: number | undefined;
} & (
  | {
      readonly kind: "topic";
      readonly slug: string;
      /** Who shared it, if it is a topic of the team. */
      readonly author?: string | undefined;
      /** The state of its evidence; `undefined` if it has none. */
      readonly evidence?: EvidenceState | undefined;
    }
  | { readonly kind: "learned"; readonly name: string }
  | { readonly kind: "session"; readonly session: string; readonly agent: string }
);

interface NoteReason {
  /** How it was found: `applies` matched, or a search by words. */
  readonly match: "applies" | "words";
  readonly score: number;
  readonly terms: readonly string[];
}
