/** A word of a command line, after the shell has removed its quotes. */
export interface LineWord {
  readonly text: string;
  /** The word as it is spelled in the line. */
  readonly source: string;
  /** Whether the shell replaces the word by the names of files. */
  readonly hasWildcard: boolean;
}

/** One program with its arguments. Never empty. */
export interface SimpleCommand {
  readonly words: readonly [LineWord, ...LineWord[]];
  /** The words as they are spelled, with one space between them. */
  readonly text: string;
}

/** Redirections that write no file: errors are dropped, or go where the output goes. */
const REDIRECTION = /^(?:2>&1|2> ?\/dev\/null)(?=[\s;|&]|$)/;

const SKIPPED = new RegExp(`${REDIRECTION.source}|^[ \\t]+`);

const SEPARATOR = /^(?:&&|\|\||[;|]|\n\s*)/;

/** Longer lines are scripts, which no one reads at a glance. */
const MAX_CHARACTERS = 4_000;

/** Characters that mean nothing to a shell, wherever they are in a word. */
const ORDINARY = /^[\p{L}\p{N}_./,:=@%+^-]/u;

const SPECIAL = /^(?:~|!(?=[ \t]))/;

const QUOTED = /^(?:'([^']*)'|"([^"$`\\]*(?:\\[^$`\n\r][^"$`\\]*)*)")/;

/**
 * Splits a line into simple commands that are joined by `;`, `|`, `&&`, `||` or line ends. Returns `undefined` for
 * anything else: variables, substitutions, files to read from or to write to, groups, jobs in the background, comments,
 * and characters whose meaning depends on where they are. The words are exactly those that the programs receive, unless
 * they have a wildcard.
 */
export function parseLine(line: string): readonly SimpleCommand[] | undefined {
  if (line.length > MAX_CHARACTERS) return undefined;
  const commands: LineWord[][] = [[]];
  for (let rest = line.trim(); rest !== "";) {
    const token = readToken(rest);
    if (token === undefined) return undefined;
    if (token.word !== undefined) commands.at(-1)?.push(token.word);
    if (token.isSeparator) commands.push([]);
    rest = rest.slice(token.length);
  }
  // The last part may be empty, as in `ls;`. Any other empty part is an error of the shell.
  const isEnded = /[;\n]$/.test(line.trim()) && commands.at(-1)?.length === 0;
  return asCommands(isEnded ? commands.slice(0, -1) : commands);
}

interface Token {
  readonly length: number;
  readonly word?: LineWord;
  readonly isSeparator: boolean;
}

/** Reads a word, a separator, or what means nothing. */
function readToken(rest: string): Token | undefined {
  const word = readWord(rest);
  if (word !== undefined) return { word, length: word.source.length, isSeparator: false };
  const [skipped] = SKIPPED.exec(rest) ?? [];
  if (skipped !== undefined) return { length: skipped.length, isSeparator: false };
  const [separator] = SEPARATOR.exec(rest) ?? [];
  return separator === undefined ? undefined : { length: separator.length, isSeparator: true };
}

function asCommands(commands: readonly (readonly LineWord[])[]): SimpleCommand[] | undefined {
  const simple = commands.flatMap(([program, ...others]) =>
    program === undefined ? [] : [toCommand([program, ...others])],
  );
  return simple.length > 0 && simple.length === commands.length ? simple : undefined;
}

function toCommand(words: SimpleCommand["words"]): SimpleCommand {
  return { words, text: words.map(({ source }) => source).join(" ") };
}

/** Reads the word at the start of a text. */
function readWord(text: string): LineWord | undefined {
  if (REDIRECTION.test(text)) return undefined;
  let [word, source, hasWildcard] = ["", "", false];
  for (;;) {
    const part = readPart(text.slice(source.length), source);
    if (part === undefined) break;
    word += part.text;
    source += part.source;
    hasWildcard ||= part.isWildcard;
  }
  return source === "" ? undefined : { text: word, source, hasWildcard };
}

interface WordPart {
  readonly text: string;
  readonly source: string;
  readonly isWildcard: boolean;
}

function readPart(rest: string, before: string): WordPart | undefined {
  return readQuoted(rest) ?? readPlain(rest, before);
}

function readQuoted(rest: string): WordPart | undefined {
  const quoted = QUOTED.exec(rest);
  if (quoted === null) return undefined;
  const [source, single, double = ""] = quoted;
  const text = single ?? double.replace(/\\(["\\])/g, "$1");
  return { text, source, isWildcard: false };
}

function readPlain(rest: string, before: string): WordPart | undefined {
  const [escaped] = /^\\[!-~]/.exec(rest) ?? [];
  if (escaped !== undefined) return { text: escaped.slice(1), source: escaped, isWildcard: false };
  const [text] = /^[*?[\]]/.exec(rest) ?? ORDINARY.exec(rest) ?? SPECIAL.exec(rest) ?? [];
  if (text === undefined) return undefined;
  // At the start of a word or of a value, a tilde is a home directory.
  if (text === "~" && !/[\p{L}\p{N}_^]$/u.test(before)) return undefined;
  // Only alone it is an argument of `find`.
  if (text === "!" && before !== "") return undefined;
  return { text, source: text, isWildcard: /[*?[\]]/.test(text) };
}
