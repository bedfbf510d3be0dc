/** One thing on the screen, top to bottom. Its texts are harmless on a terminal; the input of a call is not. */
export type ScreenItem = PersonItem | AnswerItem | ThoughtItem | ToolItem | NoticeItem | OutputItem;

interface PersonItem {
  readonly kind: "person";
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
  /** As the model gave it. */
  readonly input: unknown;
  readonly result?: ToolItemResult | undefined;
}

export interface ToolItemResult {
  readonly text: string;
  readonly isError: boolean;
  readonly data?: unknown;
  readonly durationMs?: number | undefined;
}

export interface NoticeItem {
  readonly kind: "notice";
  readonly tone: "plain" | "good" | "bad";
  readonly text: string;
  /** Whether it belongs to the person's words above it. */
  readonly isBeside?: boolean;
}

/** What a command of the person's answered. */
interface OutputItem {
  readonly kind: "output";
  readonly text: string;
}
