import { PERMISSION_MODES, type PermissionMode } from "@caliban/agent-core";
import { nearest, parsePositiveInteger } from "@caliban/common";
import { type Invocation, textOption } from "../command.ts";
import { UsageError } from "../usage-error.ts";

const OUTPUT_FORMATS = ["text", "json", "stream-json"] as const;
const INPUT_FORMATS = ["text", "stream-json"] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Which stored session to go on with. */
type ResumeWish =
  | { readonly kind: "latest" }
  | { readonly kind: "id"; readonly id: string }
  /** The person picks one on the screen. */
  | { readonly kind: "choose" };

/** What the command line says about a conversation. */
export interface ConversationFlags {
  /** `-p`: one answer on stdout. */
  readonly print: boolean;
  /** The first message, from `-p` and from behind the options. */
  readonly text: string | undefined;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: (typeof INPUT_FORMATS)[number];
  /** Most requests to the model for one message. */
  readonly maxTurns: number | undefined;
  /** `provider/model`, unchecked. */
  readonly model: string | undefined;
  readonly mode: PermissionMode | undefined;
  readonly resume: ResumeWish | undefined;
  readonly sessionName: string | undefined;
  readonly isSaved: boolean;
  /** Whether later sessions may learn from this one. */
  readonly isLearnedFrom: boolean;
}

type Options = Pick<Invocation, "options" | "operands">;

/**
 * Reads them, and refuses what cannot go together.
 * @throws UsageError
 */
export function conversationFlags(invocation: Options): ConversationFlags {
  const { options } = invocation;
  refuseConflicts(options);
  const print = options["print"] !== undefined;
  const text = messageText(invocation);
  const inputFormat = choice(invocation, "input-format", INPUT_FORMATS) ?? "text";
  if (inputFormat === "stream-json" && text !== undefined)
    throw new UsageError(
      "with --input-format stream-json every message is a line on stdin; leave the text out",
    );
  return {
    print,
    text,
    outputFormat: choice(invocation, "output-format", OUTPUT_FORMATS) ?? "text",
    inputFormat,
    maxTurns: positive(invocation, "max-turns"),
    model: filled(invocation, "model"),
    mode: choice(invocation, "mode", PERMISSION_MODES),
    resume: resumeWish(options),
    sessionName: filled(invocation, "session"),
    isSaved: options["save"] !== false,
    isLearnedFrom: options["learn"] !== false,
  };
}

/** Pairs that cannot both be meant, with the reason. */
const CONFLICTS: readonly (readonly [string, string, string])[] = [
  ["continue", "resume", "each names another session to go on with"],
  ["continue", "session", "each names another session to go on with"],
  ["resume", "session", "each names another session to go on with"],
  ["system", "systemFile", "each is the whole system prompt"],
];

/** Options that mean something with `-p` only. */
const NEED_PRINT = ["outputFormat", "inputFormat"] as const;

function refuseConflicts(options: Options["options"]): void {
  for (const [one, other, reason] of CONFLICTS) {
    if (options[one] !== undefined && options[other] !== undefined)
      throw new UsageError(`${flag(one)} and ${flag(other)} do not go together: ${reason}`);
  }
  for (const name of NEED_PRINT) {
    if (options[name] !== undefined && options["print"] === undefined)
      throw new UsageError(`${flag(name)} is for answers on stdout; add -p`);
  }
  if (options["session"] !== undefined && options["save"] === false)
    throw new UsageError("--session and --no-save do not go together: what has a name is kept");
}

function messageText({ options, operands }: Options): string | undefined {
  const { print } = options;
  const words = typeof print === "string" ? [print, ...operands] : operands;
  if (words.length === 0) return undefined;
  const text = words.join(" ");
  if (text.trim() === "") throw new UsageError("the message is empty; say what is to be done");
  return text;
}

function resumeWish(options: Options["options"]): ResumeWish | undefined {
  if (options["continue"] === true) return { kind: "latest" };
  const { resume } = options;
  if (resume === "") throw new UsageError("--resume needs the id of a session, or nothing");
  if (typeof resume === "string") return { kind: "id", id: resume };
  return resume === true ? { kind: "choose" } : undefined;
}

function choice<const Value extends string>(
  invocation: Options,
  option: string,
  values: readonly Value[],
): Value | undefined {
  const text = textOption(invocation, camelCase(option));
  if (text === undefined) return undefined;
  const value = values.find((known) => known === text);
  if (value !== undefined) return value;
  const meant = nearest(text, values);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  throw new UsageError(
    `--${option} is one of ${values.join(", ")}, not ${JSON.stringify(text)}${hint}`,
  );
}

function positive(invocation: Options, option: string): number | undefined {
  const text = textOption(invocation, camelCase(option));
  if (text === undefined) return undefined;
  const number = parsePositiveInteger(text);
  if (number !== undefined) return number;
  throw new UsageError(`--${option} is a whole number from 1 on, not ${JSON.stringify(text)}`);
}

function filled(invocation: Options, option: string): string | undefined {
  const text = textOption(invocation, option);
  if (text?.trim() === "") throw new UsageError(`--${option} needs a value`);
  return text;
}

function camelCase(option: string): string {
  return option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function flag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
