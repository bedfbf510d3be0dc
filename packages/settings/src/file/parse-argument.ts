import { parseFlag, parseJson, parsePositiveInteger } from "@caliban/common";
import { type CheckContext, checkValue, type Mismatch } from "../check/check-value.ts";
import { isListKind, type ValueForm } from "../keys/setting-row.ts";

/** A value that TOML accepts, or what was expected instead. */
export type ParsedArgument =
  | {
      readonly value:
        | boolean
        | number
        | string
        | readonly string[]
        | Readonly<Record<string, string>>;
    }
  | Mismatch;

/** Parses the arguments after `caliban settings set KEY`. */
export function parseArgument(
  form: ValueForm,
  args: readonly string[],
  context: CheckContext,
): ParsedArgument {
  const { kind } = form;
  if (kind === "variables") return parseVariables(form, args, context);
  if (isListKind(kind)) return parseList(form, args, context);
  const [arg = ""] = args;
  if (args.length > 1) return { expected: "one value" };
  if (kind === "switch") {
    const value = arg === "" ? undefined : parseFlag(arg);
    return value === undefined ? { expected: "true or false" } : { value };
  }
  if (kind === "tokens") return parseTokens(arg);
  if (kind === "count") return parseCount(form, arg, context);
  if (kind === "dollars") return parseDollars(form, arg, context);
  const checked = checkValue(form, arg, context);
  // The file keeps the typed form (`~/notes`), so that it means the same on another machine.
  return "expected" in checked ? checked : { value: arg };
}

function parseList(
  form: ValueForm,
  args: readonly string[],
  context: CheckContext,
): ParsedArgument {
  const items = parseListItems(args);
  const checked = checkValue(form, items, context);
  if (!("expected" in checked)) return { value: items };
  return { ...checked, expected: `${checked.expected}, each as a separate argument` };
}

/** `NAME=text`, each as a separate argument. */
function parseVariables(
  form: ValueForm,
  args: readonly string[],
  context: CheckContext,
): ParsedArgument {
  const pairs = args.map((arg) => /^([^=]*)=([^]*)$/.exec(arg));
  const named = pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? "", pair[2] ?? ""]]));
  const value: Readonly<Record<string, string>> = Object.fromEntries(named);
  const checked = named.length < args.length ? undefined : checkValue(form, value, context);
  if (checked !== undefined && "value" in checked) return { value };
  return { expected: "variables like PORT=8080, each as a separate argument" };
}

/** A list may also be one argument, written as in a file. */
function parseListItems(args: readonly string[]): readonly string[] {
  const [arg = "", ...more] = args;
  if (more.length > 0 || !/^\[\s*"[^]*\]$/.test(arg.trim())) return args;
  const list = parseJson(arg);
  if (!Array.isArray(list)) return args;
  return list.every((item) => typeof item === "string") ? list : args;
}

function parseCount(form: ValueForm, arg: string, context: CheckContext): ParsedArgument {
  const given = /^\d{1,15}$/.test(arg) ? BigInt(arg) : arg;
  const checked = checkValue(form, given, context);
  return "expected" in checked ? checked : { value: Number(given) };
}

function parseTokens(arg: string): ParsedArgument {
  const value = parsePositiveInteger(arg);
  return value === undefined ? { expected: "a positive integer, like 8000" } : { value };
}

function parseDollars(form: ValueForm, arg: string, context: CheckContext): ParsedArgument {
  const given = /^\$?(\d{1,9}(?:\.\d{1,6})?)$/.exec(arg)?.[1];
  const checked = checkValue(form, given === undefined ? arg : Number(given), context);
  return "expected" in checked ? checked : { value: Number(given) };
}
