export interface OptionRow {
  /** Spelling and value: `--workspace <directory>`, `-p, --print [prompt]`. */
  readonly flags: string;
  /** One short line for help. */
  readonly doc: string;
  /** Can be given several times; the values form a list. */
  readonly repeatable?: boolean;
  /** Commands that accept a conversation option. */
  readonly alsoFor?: readonly string[];
  /** Several rows with the same summary share one line in `caliban --help`. */
  readonly summary?: { readonly flags: string; readonly doc: string };
}

export interface CommandRow {
  readonly name: string;
  /** Other names for the same command. They work, but help does not list them as commands. */
  readonly aliases?: readonly string[];
  /** Operands after the name: `<key> <value...>`, `[slug]`. */
  readonly operands?: string;
  /** One short line for help. */
  readonly doc: string;
  /** What the short line leaves out. Shown in the command's own help and in docs/cli.md. */
  readonly details?: string;
  readonly example: string;
  /** The heading that `--help` of the parent lists this command under. */
  readonly group?: string;
  readonly options?: readonly OptionRow[];
  readonly subcommands?: readonly CommandRow[];
}

export const JSON_OPTION: OptionRow = { flags: "--json", doc: "Print JSON" };
