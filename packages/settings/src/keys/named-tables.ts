import type { SettingsDiagnosticCode } from "../diagnostic.ts";
import { HOOKS } from "./hook-keys.ts";
import { PROVIDERS } from "./provider-keys.ts";
import { SERVERS } from "./server-keys.ts";
import type { ValueForm } from "./setting-row.ts";

/** One key of a named table: how it is checked and what it is for. */
export interface TableKeyRow extends ValueForm {
  readonly doc: string;
}

/** Something in a named table that is valid but worth a warning. */
export interface TableWarning {
  /** The steps below the table; none for the table itself. */
  readonly below: readonly string[];
  readonly code: Extract<SettingsDiagnosticCode, "KEY_IN_SETTINGS" | "NO_EFFECT">;
  readonly message: string;
}

/** A setting that is a table of tables, such as `[providers.<name>]`. */
export interface NamedTables {
  readonly setting: "providers" | "mcp.servers" | "hooks";
  /** What one of them is called. */
  readonly noun: string;
  /** A key of one of them, as a user might type it. */
  readonly example: string;
  readonly keys: Readonly<Record<string, TableKeyRow>>;
  readonly isName: (name: string) => boolean;
  /** The message for an invalid name. */
  readonly nameRule: string;
  /** The message for an API key or token that is written into the file itself. */
  readonly literalKeyMessage: string;
  /** Finds what to warn about in a table whose keys are valid. */
  readonly findWarnings: (name: string, table: object) => readonly TableWarning[];
}

const ALL: readonly NamedTables[] = [PROVIDERS, SERVERS, HOOKS];

/** The named tables of a setting; `undefined` for a setting without any. */
export function namedTables(setting: string): NamedTables | undefined {
  return ALL.find((tables) => tables.setting === setting);
}

/** The named tables that a key belongs to, with the steps below their setting. */
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

/** Whether a name is that of an API key or token itself. */
export function isLiteralKey(name: string): boolean {
  return /^(?:api_?)?(?:key|token|secret)$/.test(name);
}
