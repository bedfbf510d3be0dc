/** The form of a value, as it is checked and as it is explained. */
export type SettingKind =
  | "switch"
  | "choice"
  | "choices"
  | "count"
  | "tokens"
  | "directory"
  | "memory-directory"
  | "directories"
  | "patterns"
  | "permissions"
  | "model"
  | "url"
  | "variable-name"
  | "variable-names"
  | "variables"
  | "text"
  | "texts"
  | "server-url"
  | "tables";

/**
 * What an untrusted project file may do to a value: nothing, turn it off, make it smaller, add to it, or wish for more,
 * which changes nothing before the person says yes. There is no way to loosen.
 */
export type ProjectPower = "none" | "turn-off" | "make-smaller" | "add" | "wish";

export interface SettingVariable {
  readonly name: string;
  /** Whether the variable or the person's file wins when both are set. */
  readonly rank: "below-user-file" | "above-user-file";
  /** A variable that says "disable" turns a switch off. */
  readonly negated?: boolean;
}

/** The smallest and the largest number that a count may be, both included. */
export interface CountRange {
  readonly least: number;
  readonly most: number;
}

/** The kind that a type of value has, so that a row cannot say one and mean another. */
type KindOf<Value> = [Value] extends [boolean]
  ? "switch"
  : [Value] extends [number]
    ? "tokens" | "count"
    : [Value] extends [number | undefined]
      ? "tokens"
      : [Value] extends [string | undefined]
        ? [string] extends [Value]
          ? "directory" | "memory-directory" | "model"
          : "choice"
        : [Value] extends [readonly string[]]
          ? ListKindOf<Value[number]>
          : "tables";

type ListKindOf<Item> = [string] extends [Item]
  ? "directories" | "patterns" | "permissions"
  : "choices";

/** What a kind is besides its name: all that a choice can be, each with what it means; how far a count may go. */
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

/** A row of the table of settings, for a type of value. */
export type RowOf<Value> = FormOf<Value> & {
  readonly default: Value;
  readonly project: ProjectPower;
  readonly variable?: SettingVariable;
  readonly doc: string;
};

/** Whether values of a kind are lists, which are typed as several words. */
export function isListKind(kind: SettingKind): boolean {
  const isOfWords = kind === "texts" || kind === "variable-names";
  return isOfWords || kind === "choices" || appends(kind);
}

/** Whether values of a kind add to those below them; a list of choices replaces, so that its default can be left. */
export function appends(kind: SettingKind): boolean {
  return kind === "directories" || kind === "patterns" || kind === "permissions";
}
