import type { ValueForm } from "./check-value.ts";
import { PROVIDERS } from "./provider-keys.ts";
import { SERVERS } from "./server-keys.ts";

/** One key of a table that has a name of its own: how it is checked and what it is for. */
export interface TableKeyRow extends ValueForm {
  readonly doc: string;
}

/** Something in a table that is no mistake and yet has to be said. */
export interface Oddity {
  /** The steps below the table; none for the table itself. */
  readonly below: readonly string[];
  readonly code: "KEY_IN_SETTINGS" | "NO_EFFECT";
  readonly message: string;
}

/** A setting that is a table of tables, such as `[providers.<name>]`. */
export interface NamedTables {
  readonly setting: "providers" | "mcp.servers";
  /** What one of them is. */
  readonly noun: string;
  /** A key of one of them, as somebody might type it. */
  readonly example: string;
  readonly keys: Readonly<Record<string, TableKeyRow>>;
  readonly isName: (name: string) => boolean;
  /** What to say of a name that is none. */
  readonly nameRule: string;
  /** What to say of a key that must never stand in a file. */
  readonly keyItselfRefused: string;
  /** What is odd about one whose keys are proven. */
  readonly oddities: (name: string, table: object) => readonly Oddity[];
}

const ALL: readonly NamedTables[] = [PROVIDERS, SERVERS];

/** The tables that a setting has below it, by names that the person chose. */
export function namedTables(setting: string): NamedTables | undefined {
  return ALL.find((tables) => tables.setting === setting);
}

/** The tables that a key is of, with the steps below their setting. */
export function tablesAbove(
  segments: readonly string[],
): { readonly tables: NamedTables; readonly below: readonly string[] } | undefined {
  for (const tables of ALL) {
    const { length } = tables.setting.split(".");
    if (segments.slice(0, length).join(".") === tables.setting)
      return { tables, below: segments.slice(length) };
  }
  return undefined;
}

/** Whether somebody meant to write the key itself. */
export function isKeyItself(name: string): boolean {
  return /^(?:api_?)?(?:key|token|secret)$/.test(name);
}
