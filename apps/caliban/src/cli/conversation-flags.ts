import { PERMISSION_MODES, type PermissionMode } from "@caliban/agent-core";
import { nearest, parsePositiveInteger } from "@caliban/common";
import { type Invocation, textOption } from "../command.ts";
import { UsageError } from "../usage-error.ts";
import { optionShape } from "./table/command-row.ts";
import { CONVERSATION_OPTIONS } from "./table/options.ts";

const OUTPUT_FORMATS = ["text", "json", "stream-json"] as const;
const INPUT_FORMATS = ["text", "stream-json"] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Which stored session to resume. */
type ResumeRequest =
  | { readonly kind: "latest" }
  | { readonly kind: "id"; readonly id: string }
  /** The user picks one on the screen. */
  | { readonly kind: "choose" };

/** The conversation options of the command line, checked. */
export interface ConversationFlags {
  /** `-p`: print one answer to stdout. */
  readonly print: boolean;
  /** The first message: the value of `-p` and the operands. */
  readonly text: string | undefined;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: (typeof INPUT_FORMATS)[number];
  /** Maximum model requests for one message. */
  readonly maxTurns: number | undefined;
  /** `provider/model`, unchecked. */
  readonly model: string | undefined;
  readonly mode: PermissionMode | undefined;
  readonly resume: ResumeRequest | undefined;
  readonly sessionName: string | undefined;
  readonly isSaved: boolean;
  /** Whether later sessions may learn from this one. */
  readonly isLearnedFrom: boolean;
}

/** How the options are spelled, by the names of their values. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  CONVERSATION_OPTIONS.map(optionShape).map(({ name, long }) => [name, long]),
);

/**
 * The first conversation option in use, as it is spelled. Such options need a conversation: without a message they
 * would be ignored silently.
 */
export function givenConversationOption(options: Invocation["options"]): string | undefined {
  return [...SPELLINGS].find(([name]) => options[name] !== undefined)?.[1];
}

type Options = Pick<Invocation, "options" | "operands">;

/**
 * Reads the conversation options.
 * @throws UsageError for a value that is not valid, or options that cannot be used together
 */
export function conversationFlags(invocation: Options): ConversationFlags {
  const { options } = invocation;
  rejectConflicts(options);
  const print = options["print"] !== undefined;
  const text = messageText(invocation);
  const inputFormat = choice(invocation, "inputFormat", INPUT_FORMATS) ?? "text";
  if (inputFormat === "stream-json" && text !== undefined)
    throw new UsageError(
      "--input-format stream-json reads messages from stdin; remove the prompt from the command line",
    );
  return {
    print,
    text,
    outputFormat: choice(invocation, "outputFormat", OUTPUT_FORMATS) ?? "text",
    inputFormat,
    maxTurns: positive(invocation, "maxTurns"),
    model: filled(invocation, "model"),
    mode: choice(invocation, "mode", PERMISSION_MODES),
    resume: resumeRequest(options),
    sessionName: filled(invocation, "session"),
    isSaved: options["save"] !== false,
    isLearnedFrom: options["learn"] !== false,
  };
}

/** Pairs of options that cannot be used together. */
const CONFLICTS: readonly (readonly [string, string])[] = [
  ["continue", "resume"],
  ["continue", "session"],
  ["resume", "session"],
  ["system", "systemFile"],
];

/** Options that require `-p`. */
const NEED_PRINT = ["outputFormat", "inputFormat"] as const;

function rejectConflicts(options: Options["options"]): void {
  for (const [one, other] of CONFLICTS) {
    if (options[one] !== undefined && options[other] !== undefined)
      throw new UsageError(
        `${SPELLINGS.get(one)} and ${SPELLINGS.get(other)} cannot be used together`,
      );
  }
  for (const name of NEED_PRINT) {
    if (options[name] !== undefined && options["print"] === undefined)
      throw new UsageError(`${SPELLINGS.get(name)} requires -p`);
  }
  if (options["session"] !== undefined && options["save"] === false)
    throw new UsageError(
      "--session and --no-save cannot be used together: a named session is always stored",
    );
}

function messageText({ options, operands }: Options): string | undefined {
  const { print } = options;
  const words = typeof print === "string" ? [print, ...operands] : operands;
  if (words.length === 0) return undefined;
  const text = words.join(" ");
  if (text.trim() === "") throw new UsageError("the message is empty");
  return text;
}

function resumeRequest(options: Options["options"]): ResumeRequest | undefined {
  if (options["continue"] === true) return { kind: "latest" };
  const { resume } = options;
  if (resume === "")
    throw new UsageError("--resume requires a session id, or no value to choose one");
  if (typeof resume === "string") return { kind: "id", id: resume };
  return resume === true ? { kind: "choose" } : undefined;
}

function choice<const Value extends string>(
  invocation: Options,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = textOption(invocation, name);
  const value = values.find((known) => known === text);
  if (text === undefined || value !== undefined) return value;
  const meant = nearest(text, values);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  throw new UsageError(
    `${SPELLINGS.get(name)} must be one of ${values.join(", ")}, not ${JSON.stringify(text)}${hint}`,
  );
}

function positive(invocation: Options, name: string): number | undefined {
  const text = textOption(invocation, name);
  const number = text === undefined ? undefined : parsePositiveInteger(text);
  if (text === undefined || number !== undefined) return number;
  throw new UsageError(
    `${SPELLINGS.get(name)} must be a positive integer, not ${JSON.stringify(text)}`,
  );
}

function filled(invocation: Options, name: string): string | undefined {
  const text = textOption(invocation, name);
  if (text?.trim() === "") throw new UsageError(`${SPELLINGS.get(name)} requires a value`);
  return text;
}
