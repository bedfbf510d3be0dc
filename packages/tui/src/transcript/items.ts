import type { ResultFacts, ToolProgress } from "@caliban/agent-core";

/** One entry on the screen, from top to bottom. Its texts are safe for a terminal; the input of a tool call is not. */
export type ScreenItem = UserItem | AnswerItem | ThoughtItem | ToolItem | NoticeItem | OutputItem;

interface UserItem {
  readonly kind: "user";
  readonly text: string;
}

interface AnswerItem {
  readonly kind: "answer";
  readonly text: string;
}

export interface ThoughtItem {
  readonly kind: "thought";
  readonly text: string;
}

export interface ToolItem {
  readonly kind: "tool";
  readonly id: string;
  readonly name: string;
  /** As the model wrote it. */
  readonly input: unknown;
  /** What it has printed so far; safe text. */
  readonly progress?: ToolProgress | undefined;
  readonly result?: ToolItemResult | undefined;
}

export interface ToolItemResult {
  readonly text: string;
  readonly isError: boolean;
  /** Absent for a result of a conversation that was stored without them. */
  readonly facts?: ResultFacts | undefined;
  /** Where the memory comes from that was added to the result. */
  readonly memory?: readonly string[] | undefined;
}

export interface NoticeItem {
  readonly kind: "notice";
  readonly tone: "plain" | "good" | "bad";
  readonly text: string;
  /** Whether it belongs to the user's message above it. */
  readonly isAttached?: boolean;
}

/** The output of a slash command. */
interface OutputItem {
  readonly kind: "output";
  readonly text: string;
}
