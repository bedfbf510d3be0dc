import type { ScreenUser } from "@caliban/tui";
import type { CommandRow } from "../../../cli/table/command-row.ts";
import type { Candidate } from "../../candidates/candidate.ts";
import type { Invocation } from "../../../command.ts";
import type { Conversation } from "../../../conversation/conversation.ts";

/** What a slash command is called with. */
export interface SlashInput {
  /** Everything after the name, as typed. */
  readonly rest: string;
  /** The same, split into words; quotes keep words together. */
  readonly words: readonly string[];
  readonly invocation: Invocation;
  readonly conversation: Conversation;
  readonly user: ScreenUser;
}

/** The arguments of a slash command while they are typed. */
export interface CompletionInput extends Pick<SlashInput, "invocation" | "conversation"> {
  /** The complete words before the one that is typed. */
  readonly words: readonly string[];
  readonly partial: string;
}

/** The outcome of a slash command, which prints nothing itself. */
export type SlashResult =
  /** Output to show; an empty text shows nothing. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly text: string }
  /** A message for the model, as if the user had typed it. */
  | { readonly kind: "send"; readonly text: string; readonly notices?: readonly string[] }
  /** The conversation is a different one now; its messages replace the transcript. */
  | {
      readonly kind: "switched";
      readonly text: string;
      /** Put into the prompt, unless the user has typed something. */
      readonly prompt?: string | undefined;
    }
  | { readonly kind: "quit" };

type RunSlash = (input: SlashInput) => Promise<SlashResult>;

/** One row of the table that feeds completion, `/help` and the docs. */
export interface SlashRow {
  readonly name: string;
  /** Other names that users try. */
  readonly aliases?: readonly string[];
  /** The arguments, such as `[name]`. */
  readonly operands?: string;
  readonly doc: string;
  /** The first words that make sense after the name, for completion. */
  readonly verbs?: () => readonly SlashVerb[];
  /** Loads what lists candidates for the arguments. */
  readonly complete?: () => Promise<(input: CompletionInput) => Promise<readonly Candidate[]>>;
  /** Whether it runs while the agent works; all others wait for the end of the turn. */
  readonly runsWhileBusy?: boolean | ((words: readonly string[]) => boolean);
  /** Whether it takes long enough for the status line. */
  readonly takesLong?: boolean | ((words: readonly string[]) => boolean);
  readonly load: () => Promise<RunSlash>;
}

export type SlashVerb = Pick<CommandRow, "name" | "operands" | "doc">;

/** Lines of two aligned columns. */
export function alignRows(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${first.padEnd(width)}  ${second}`.trimEnd());
}
