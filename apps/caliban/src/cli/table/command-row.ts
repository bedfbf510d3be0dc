export interface OptionRow {
  /** Spelling and value: `--workspace <directory>`, `-p, --print [prompt]`. */
  readonly flags: string;
  /** One short line for help. */
  readonly doc: string;
  /** Can be given several times; the values form a list. */
  readonly repeatable?: boolean;
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
  /** A command, or a whole line for a shell. */
  readonly example: { readonly command: string } | string;
  /** What goes after `--`, for a command that passes words on to a program. */
  readonly afterDashes?: string;
  /** The heading that `--help` of the parent lists this command under. */
  readonly group?: string;
  readonly options?: readonly OptionRow[];
  readonly subcommands?: readonly CommandRow[];
  /** What may be typed for no subcommand: `sessions list` is `sessions`. */
  readonly defaultVerbs?: readonly string[];
}

/** The words that name a command: `memory write`. */
export function commandName(path: readonly CommandRow[]): string {
  return path.map(({ name }) => name).join(" ");
}

export const JSON_OPTION: OptionRow = { flags: "--json", doc: "Print JSON" };

/** What the spelling of an option says about it. */
export interface OptionShape {
  /** `--print`, as typed. */
  readonly long: string;
  /** `-p` */
  readonly short: string | undefined;
  /** Camel case, without the `no-` of an option that turns something off: `save` for `--no-save`. */
  readonly name: string;
  readonly value: "none" | "optional" | "required";
  /** `--no-save` sets `save` to false. */
  readonly isNegated: boolean;
}

const SPELLING = /^(?:(?<short>-\w), )?(?<long>--(?<no>no-)?(?<words>[\w-]+))(?: (?<value>[<[]))?/;

/** Parses the `flags` of a row. */
export function optionShape({ flags }: Pick<OptionRow, "flags">): OptionShape {
  const { short, long = "", no, words = "", value } = SPELLING.exec(flags)?.groups ?? {};
  const valueKind = value === "<" ? "required" : "optional";
  return {
    long,
    short,
    name: words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    value: value === undefined ? "none" : valueKind,
    isNegated: no !== undefined,
  };
}
