/** A command of the program that a message points to, without the program's name: `memory undo 3`. */
export interface CommandReference {
  readonly command: string;
}

/** A message for the user. The text is complete; the parts let another surface spell the commands its own way. */
export interface CommandMessage {
  /** Spells commands as they are typed in a shell: `caliban memory undo 3`. */
  readonly message: string;
  /** The same message in parts, if it names a command. */
  readonly parts?: readonly (string | CommandReference)[] | undefined;
}

/** Spells a command for the surface where a message is shown. */
export type SpellCommand = (command: string) => string;

export function command(words: string): CommandReference {
  return { command: words };
}

/** The spelling for a shell. */
export function shellCommand(words: string): string {
  return `caliban ${words}`;
}

/** Tags a template whose values may be commands, and messages that name some. */
export function withCommands(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | CommandReference | CommandMessage)[]
): CommandMessage {
  const pieces = strings.flatMap((text, index) => [text, ...partsOf(values[index] ?? "")]);
  const message = spellParts(pieces, shellCommand);
  const parts = joinTexts(pieces);
  return parts.every((part) => typeof part === "string") ? { message } : { message, parts };
}

type Part = NonNullable<CommandMessage["parts"]>[number];

function partsOf(value: string | number | CommandReference | CommandMessage): readonly Part[] {
  if (typeof value !== "object") return [String(value)];
  if ("command" in value) return [value];
  return value.parts ?? [value.message];
}

function joinTexts(pieces: readonly Part[]): readonly Part[] {
  const parts: Part[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (typeof piece === "string" && typeof last === "string")
      parts[parts.length - 1] = last + piece;
    else if (piece !== "") parts.push(piece);
  }
  return parts;
}

/** The text of a message, with its commands spelled for one surface. */
export function spellCommands({ message, parts }: CommandMessage, spell: SpellCommand): string {
  return parts === undefined ? message : spellParts(parts, spell);
}

function spellParts(parts: readonly Part[], spell: SpellCommand): string {
  return parts.map((part) => (typeof part === "string" ? part : spell(part.command))).join("");
}
