/** A word of a command as the program receives it. */
export interface ShellWord {
  readonly text: string;
  /** Whether the shell puts something unknown at its start, such as a file name for `*`: it may become any option. */
  readonly hasUnknownStart: boolean;
}

const WORD = /(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^\s'"\\])+/g;
const PIECE = /'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])|([^'"\\]+)/g;
const UNKNOWN_START = /^(?:''|"")*"?\$|^(?:''|"")*[*?[{]/;

/** Splits a command that is not compound into words, without quotes and backslashes. An open quote starts a new word. */
export function splitArguments(command: string): readonly ShellWord[] {
  return Array.from(command.matchAll(WORD), ([word]) => ({
    text: Array.from(word.matchAll(PIECE), unquote).join(""),
    hasUnknownStart: UNKNOWN_START.test(word),
  }));
}

function unquote([, single, double, escaped, plain = ""]: RegExpExecArray): string {
  return single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
}
