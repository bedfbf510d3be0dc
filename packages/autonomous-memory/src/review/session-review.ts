import type { SessionMessage } from "@caliban/sessions";

/** A statement that was not learned, because a session contains text that is not the user's. */
export interface HeldStatement {
  readonly text: string;
  /** Such as `preference` or `procedure`, if the model gave one. */
  readonly kind?: string | undefined;
}

/** Decides what can be learned from one session. */
export interface SessionReview {
  /** Receives every message of the session, in order. */
  readonly add: (message: SessionMessage) => void;
  /** Whether a statement about the session waits for the user. Called after the last message. */
  readonly isHeld: (statement: string) => boolean;
  /** Receives what was not learned, so that the user can decide. */
  readonly hold: (statements: readonly HeldStatement[]) => Promise<void>;
}

/** Opens the review of a session. Without one, everything that a model writes about it is learned. */
export type OpenSessionReview = (session: string) => SessionReview;
