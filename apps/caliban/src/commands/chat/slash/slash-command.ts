import type { Conversation } from "../../../agent/conversation.ts";
import type { Invocation } from "../../../command.ts";
import type { SlashPerson } from "./slash-person.ts";

/** What a slash command is called with. */
export interface SlashInput {
  /** What stands behind the name, as it was typed. */
  readonly rest: string;
  /** The same, word by word; quotes keep words together. */
  readonly words: readonly string[];
  readonly invocation: Invocation;
  readonly conversation: Conversation;
  readonly person: SlashPerson;
}

/** What comes of it. It prints nothing itself. */
export type SlashResult =
  /** Something to read; nothing when the text is empty. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "mistake"; readonly text: string }
  /** Words for the model, as if the person had typed them. */
  | { readonly kind: "send"; readonly text: string }
  /** The conversation is another one now; its messages are shown anew. */
  | { readonly kind: "renewed"; readonly text: string }
  | { readonly kind: "quit" };

type RunSlash = (input: SlashInput) => Promise<SlashResult>;

/** One row of the table that completion, `/help` and the docs are made from. */
export interface SlashRow {
  readonly name: string;
  /** Other names that people try. */
  readonly aliases?: readonly string[];
  /** What stands behind the name, such as `[name]`. */
  readonly operands?: string;
  readonly doc: string;
  /** First words that make sense behind the name, for completion. */
  readonly verbs?: () => readonly SlashVerb[];
  /** Whether it can be used while the agent works; the others wait for the end of the turn. */
  readonly isAlwaysReady?: boolean | ((words: readonly string[]) => boolean);
  /** Whether the model works on it, so that it takes a while. */
  readonly asksModel?: boolean | ((words: readonly string[]) => boolean);
  readonly load: () => Promise<RunSlash>;
}

export interface SlashVerb {
  readonly name: string;
  /** What stands behind it, such as `<slug>`. */
  readonly operands?: string | undefined;
  readonly doc: string;
}
