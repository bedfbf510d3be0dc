/** The kind of a value, which decides how it is checked and documented. */
export type SettingKind =
  | "switch"
  | "choice"
  | "choices"
  | "count"
  | "tokens"
  | "dollars"
  | "directory"
  | "memory-directory"
  | "directories"
  | "patterns"
  | "hosts"
  | "permissions"
  | "model"
  | "url"
  | "variable-name"
  | "variable-names"
  | "variables"
  | "text"
  | "sharing"
  | "tool-names"
  | "texts"
  | "server-url"
  | "tables";

/**
 * What an untrusted project file can do to a value: nothing, turn it off, make it smaller, add to it, or request more,
 * which changes nothing until the user approves. It can never loosen a setting.
 */
export type ProjectPower = "none" | "turn-off" | "make-smaller" | "add" | "request";

export interface SettingVariable {
  readonly name: string;
  /** Whether the variable or the user's file wins if both are set. */
  readonly rank: "below-user-file" | "above-user-file";
  /** Whether setting the variable turns the setting off, as "disable" in its name says. */
  readonly negated?: boolean;
}

/** The smallest and the largest value of a count, inclusive. */
export interface CountRange {
  readonly min: number;
  readonly max: number;
}

/** What a value is checked against: its kind, with the choices or the range that belong to it. */
export interface ValueForm {
  readonly kind: SettingKind;
  readonly choices?: Readonly<Record<string, string>> | undefined;
  readonly range?: CountRange | undefined;
}

/** The kinds that fit a type of value, so that a row cannot contradict its type. */
type KindOf<Value> = [Value] extends [boolean]
  ? "switch"
  : [Value] extends [number]
    ? "tokens" | "count"
    : [Value] extends [number | undefined]
      ? "tokens" | "dollars"
      : [Value] extends [string | undefined]
        ? [string] extends [Value]
          ? "directory" | "memory-directory" | "model" | "variable-name" | "text" | "sharing"
          : "choice"
        : [Value] extends [readonly string[]]
          ? ListKindOf<Value[number]>
          : "tables";

type ListKindOf<Item> = [string] extends [Item]
  ? "directories" | "patterns" | "hosts" | "permissions"
  : "choices";

/** What belongs to a kind: the choices with their meaning, or the range of a count. */
type FormOf<Value> =
  KindOf<Value> extends "choice"
    ? WithChoices<Extract<Value, string>> & { readonly kind: "choice" }
    : KindOf<Value> extends "choices"
      ? WithChoices<ItemOf<Value>> & { readonly kind: "choices" }
      :
          | WithRange<Value>
          | {
              readonly kind: Exclude<KindOf<Value>, "count">;
              readonly choices?: undefined;
              readonly range?: undefined;
            };

interface WithChoices<Choice extends string> {
  readonly choices: Readonly<Record<Choice, string>>;
  readonly range?: undefined;
}

type WithRange<Value> =
  "count" extends KindOf<Value>
    ? { readonly kind: "count"; readonly range: CountRange; readonly choices?: undefined }
    : never;

type ItemOf<Value> = Value extends readonly (infer Item extends string)[] ? Item : never;

/** A row of the settings table, for a type of value. */
export type RowOf<Value> = FormOf<Value> & {
  readonly default: Value;
  readonly project: ProjectPower;
  readonly variable?: SettingVariable;
  readonly doc: string;
};

/** Whether values of a kind are lists, which are typed as several arguments. */
export function isListKind(kind: SettingKind): boolean {
  return kind === "texts" || kind === "variable-names" || kind === "choices" || appends(kind);
}

/** Whether values of a kind add to lower layers. A list of choices replaces them, so that it can drop the default. */
export function appends(kind: SettingKind): boolean {
  return (
    kind === "directories" || kind === "patterns" || kind === "hosts" || kind === "permissions"
  );
}
