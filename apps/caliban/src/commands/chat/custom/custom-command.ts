import type { Diagnostic } from "@caliban/common";

/** Whose file a command is: the repository's, or the user's own. */
type CommandOrigin = "workspace" | "user";

/** A directory of Markdown files, one for each command. */
export interface CommandDirectory {
  readonly path: string;
  /** The same, as it is shown. */
  readonly label: string;
  readonly origin: CommandOrigin;
  /** The directory that links may not lead out of; none for the user's own directories. */
  readonly within?: string | undefined;
}

/** Where a command comes from. */
export interface CommandSource {
  /** Its path without the ending, with colons: `frontend:component`. */
  readonly name: string;
  readonly origin: CommandOrigin;
  /** The file, as it is shown. */
  readonly source: string;
}

/** A text that the user can send by a name. */
export interface CustomCommand extends CommandSource {
  /** One line that is safe on a terminal. */
  readonly description: string;
  /** Says which arguments it takes: one line that is safe on a terminal. */
  readonly argumentHint?: string | undefined;
  /** As written, with LF line ends. */
  readonly body: string;
  /** Keys of its header that have no effect here. */
  readonly ignoredKeys: readonly string[];
  /** Whether the plain name means something else, so that only `/user:name` or `/project:name` runs it. */
  readonly isShadowed?: boolean;
}

/** Why a file is not a command, or not under its own name. */
export type CommandProblemCode =
  | "NOT_TEXT"
  | "INVALID_UTF8"
  | "BROKEN_HEADER"
  | "INVALID_FIELD"
  | "EMPTY_BODY"
  | "TOO_LARGE"
  | "INVALID_NAME"
  | "OUTSIDE"
  | "UNREADABLE"
  | "TOO_MANY"
  | "TOO_DEEP"
  | "SHADOWED";

/** The message is safe on a terminal, and so is the path. */
export interface CommandProblem extends Diagnostic<CommandProblemCode> {
  readonly path: string;
  /** The name that it would have. */
  readonly name?: string | undefined;
}

/** `.claude/commands/review.md:3: The header is not valid YAML.` */
export function renderProblem({ path, line, message }: CommandProblem): string {
  return `${path}${line === undefined ? "" : `:${line}`}: ${message}`;
}
