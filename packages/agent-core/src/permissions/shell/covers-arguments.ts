import { SAFE_ARGUMENTS } from "./safe-arguments.ts";
import type { SafeArguments } from "./safe-arguments-row.ts";
import { type ShellWord, splitArguments } from "./shell-words.ts";

/**
 * Whether an allow pattern covers every argument of a command that it matches. `git log*` was not written to allow
 * `git log --output=.git/hooks/pre-commit`: an option that is not known to be safe is covered only if the pattern names
 * it. Programs without a row are not checked.
 */
export function coversArguments(pattern: string, command: string): boolean {
  // A pattern without a star spells the whole command.
  if (!pattern.includes("*")) return true;
  return coversCommand(splitArguments(command), spelledIn(pattern));
}

/**
 * The operands of a program whose other arguments are all safe, without those of a subcommand. Returns `undefined` if one
 * argument is not known to be safe.
 */
export function safeOperands(
  words: readonly ShellWord[],
  row: SafeArguments,
): readonly string[] | undefined {
  if (!coversRow(words, { row, spelled: new Set() })) return undefined;
  return readArguments(words, row)?.operands;
}

/** The words of a pattern up to a star, and the names of its options: `git log --output=*` spells `--output`. */
type Spelled = ReadonlySet<string>;

function spelledIn(pattern: string): Spelled {
  return new Set(
    splitArguments(pattern).flatMap(({ text }) => {
      const [literal = ""] = text.split("*", 1);
      const [name = ""] = literal.split("=", 1);
      return [literal, name];
    }),
  );
}

function coversCommand([program, ...rest]: readonly ShellWord[], spelled: Spelled): boolean {
  const row = SAFE_ARGUMENTS.get(programName(program?.text ?? ""));
  return row === undefined || coversRow(rest, { row, spelled });
}

function programName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
}

interface RowInput {
  readonly row: SafeArguments;
  readonly spelled: Spelled;
}

function coversRow(words: readonly ShellWord[], { row, spelled }: RowInput): boolean {
  const read = readArguments(words, row);
  if (read === undefined) return false;
  const { options, operands, rest } = read;
  const isCovered = (pattern: RegExp | undefined, text: string): boolean =>
    pattern === undefined || spelled.has(text) || pattern.test(text);
  return (
    options.every(({ name, text, isSafe }) => isSafe || spelled.has(name) || spelled.has(text)) &&
    scriptsIn(read).every((script) => isCovered(row.script, script)) &&
    operands.every((operand) => isCovered(row.operand, operand)) &&
    coversFirst(operands[0], rest, { row, spelled })
  );
}

/** Without `-e`, the first operand is the script. */
function scriptsIn({ options, operands }: Arguments): readonly string[] {
  const scripts = options.flatMap(({ script }) => script ?? []);
  return scripts.length > 0 ? scripts : operands.slice(0, 1);
}

/** Decides about a subcommand or another program, and about everything after it. */
function coversFirst(
  first: string | undefined,
  rest: readonly ShellWord[],
  { row, spelled }: RowInput,
): boolean {
  if (first === undefined) return true;
  const { subcommands, spelledSubcommands = "", afterOperand } = row;
  const isSpelled = spelled.has(first);
  if (!isSpelled && spelledSubcommands.split(" ").includes(first)) return false;
  if (afterOperand === "command") return isSpelled && coversCommand(rest, spelled);
  if (subcommands === undefined) return true;
  const subcommand = Object.hasOwn(subcommands, first) ? subcommands[first] : undefined;
  if (subcommand === undefined && !isSpelled) return false;
  return coversRow(rest.slice(1), { row: subcommand ?? {}, spelled });
}

interface Arguments {
  readonly options: readonly Option[];
  /** Only the first one, if it decides what the words after it mean. */
  readonly operands: readonly string[];
  /** The words from that operand on. */
  readonly rest: readonly ShellWord[];
}

/** Returns `undefined` if the shell may put an option where a word is. */
function readArguments(words: readonly ShellWord[], row: SafeArguments): Arguments | undefined {
  const options: Option[] = [];
  const operands: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const { text, hasUnknownStart } = words[index] ?? NO_WORD;
    if (text === "--") return withOnlyOperands({ options, operands }, words.slice(index + 1), row);
    if (hasUnknownStart) return undefined;
    if (isOption(text)) {
      const next = words[index + 1]?.text;
      const option = readOption({ text, next, row });
      options.push(option);
      // An option is never skipped, whether or not the program takes it as the value.
      if (option.takesNext && !isOption(next)) index += 1;
    } else if (index === 0 && row.bareOptions === true) {
      options.push(readBareOptions(text, row));
    } else {
      operands.push(text);
      if (takesRest(row)) return { options, operands, rest: words.slice(index) };
    }
  }
  return { options, operands, rest: [] };
}

/** After `--`, every word is an operand, whatever it looks like. */
function withOnlyOperands(
  { options, operands }: Pick<Arguments, "options" | "operands">,
  after: readonly ShellWord[],
  row: SafeArguments,
): Arguments {
  const all = [...operands, ...after.map(({ text }) => text)];
  if (takesRest(row)) return { options, operands: all.slice(0, 1), rest: after };
  return { options, operands: all, rest: [] };
}

/** Whether the first operand decides what the words after it mean. */
function takesRest({ subcommands, afterOperand }: SafeArguments): boolean {
  return subcommands !== undefined || afterOperand !== undefined;
}

const NO_WORD: ShellWord = { text: "", hasUnknownStart: false };

function isOption(text = ""): boolean {
  return text.length > 1 && text.startsWith("-");
}

/** Their values are the words that follow, so every letter is an option. */
function readBareOptions(text: string, { short = "" }: SafeArguments): Option {
  const letters = Array.from(text);
  const isSafe = letters.every((letter) => letter !== ":" && short.includes(letter));
  return { text, name: text, isSafe, takesNext: false };
}

interface Option {
  /** The word as it is in the command. */
  readonly text: string;
  /** The option without its value. */
  readonly name: string;
  readonly isSafe: boolean;
  readonly takesNext: boolean;
  /** The value, if it is a script. */
  readonly script?: string | undefined;
}

interface OptionInput {
  readonly text: string;
  readonly next: string | undefined;
  readonly row: SafeArguments;
}

function readOption(input: OptionInput): Option {
  const { text, row } = input;
  const [name = ""] = text.split("=", 1);
  if (row.spelledWithValue?.split(" ").includes(text) === true)
    return { text, name, isSafe: false, takesNext: true };
  if (text.startsWith("--")) return readLong(name, input);
  if (row.words === undefined) return readCluster(input);
  return { text, name, isSafe: row.words.split(" ").includes(name.slice(1)), takesNext: false };
}

function readLong(name: string, { text, next, row }: OptionInput): Option {
  const known = (row.long ?? "").split(" ");
  const takesValue = known.includes(`${name.slice(2)}:`);
  const isAttached = text !== name;
  return {
    text,
    name,
    isSafe: takesValue || known.includes(name.slice(2)),
    takesNext: takesValue && !isAttached,
    script: name === "--expression" ? (isAttached ? text.slice(name.length + 1) : next) : undefined,
  };
}

/** Reads `-xvf FILE` letter by letter. A number, as in `git log -5`, is safe. */
function readCluster({ text, next, row }: OptionInput): Option {
  const { short = "" } = row;
  for (let index = 1; index < text.length; index++) {
    const letter = text[index] ?? "";
    if (/\d/.test(letter)) continue;
    const at = letter === ":" ? -1 : short.indexOf(letter);
    if (at === -1) return { text, name: text, isSafe: false, takesNext: false };
    if (short[at + 1] !== ":") continue;
    const attached = text.slice(index + 1);
    return {
      text,
      name: text.slice(0, index + 1),
      isSafe: true,
      takesNext: attached === "",
      script: letter === "e" ? attached || next : undefined,
    };
  }
  return { text, name: text, isSafe: true, takesNext: false };
}
