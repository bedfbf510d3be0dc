import type { OptionRow } from "./command-row.ts";

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
