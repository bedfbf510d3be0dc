import type { Invocation } from "../command.ts";
import { CONVERSATION_OPTIONS } from "./conversation-options.ts";
import { optionShape } from "./option-row.ts";

/** What the options were set to, by their names in camelCase. */
export type OptionValues = Readonly<
  Record<string, string | boolean | readonly string[] | undefined>
>;

/** The options of a command line in the form that commands read. */
export function readOptions(
  values: OptionValues,
  operands: readonly string[],
): Omit<Invocation, "host"> {
  const { workspace } = values;
  return {
    operands,
    workspace: typeof workspace === "string" ? workspace : undefined,
    additionalDirectories: listOf(values["addDir"]),
    bare: values["bare"] === true,
    memory: values["memory"] !== false,
    json: values["json"] === true,
    permissions: {
      allow: listOf(values["allow"]),
      ask: listOf(values["ask"]),
      deny: listOf(values["deny"]),
    },
    options: Object.fromEntries(Object.entries(values).filter(isSingle)),
  };
}

/** An option that a conversation takes and this command does not, as it is spelled. */
export function strayOption(values: OptionValues, command: string): string | undefined {
  const stray = CONVERSATION_OPTIONS.find((row) => {
    const { name, isNegated } = optionShape(row);
    const value = values[name];
    const isSet = value !== undefined && !(isNegated && value === true);
    return isSet && row.alsoFor?.includes(command) !== true;
  });
  return stray === undefined ? undefined : optionShape(stray).long;
}

function listOf(value: OptionValues[string]): readonly string[] {
  return Array.isArray(value) ? value : [];
}

function isSingle(
  entry: readonly [string, OptionValues[string]],
): entry is [string, string | boolean] {
  return typeof entry[1] === "string" || typeof entry[1] === "boolean";
}
