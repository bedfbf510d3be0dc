import type { OptionRow } from "./command-row.ts";

/** What the spelling of an option says about it. */
export interface OptionShape {
  /** `--print`, as the command line has it. */
  readonly long: string;
  readonly short: string | undefined;
  /** Its name in camelCase, without the `no-` of one that turns something off. */
  readonly name: string;
  readonly value: "none" | "optional" | "required";
  /** `--no-save`: it is true until the option makes it false. */
  readonly isNegated: boolean;
}

const SPELLING = /^(?:(?<short>-\w), )?(?<long>--(?<no>no-)?(?<words>[\w-]+))(?: (?<value>[<[]))?/;

/** Reads the `flags` of a row. */
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
