import { nearest } from "@caliban/common";
import { type CheckContext, checkValue, describeValue, isHidden } from "./check-value.ts";
import { settingKey } from "./key-spelling.ts";
import { isKeyItself, type NamedTables } from "./named-tables.ts";
import type { SettingsProblem } from "./problem.ts";

/** Something wrong below a table of tables, with the key as it is spelled there. */
interface TableProblem extends SettingsProblem {
  readonly segments: readonly string[];
}

export interface CheckedTables {
  readonly value: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly errors: readonly TableProblem[];
  readonly warnings: readonly TableProblem[];
}

interface Findings {
  readonly tables: NamedTables;
  readonly context: CheckContext;
  readonly where: string;
  readonly errors: TableProblem[];
  readonly warnings: TableProblem[];
}

/** Proves what stands below a setting that is a table of tables; a problem names its own key, not the whole table. */
export function checkTables(
  tables: NamedTables,
  given: object,
  context: CheckContext & { readonly where: string },
): CheckedTables {
  const found: Findings = { tables, context, where: context.where, errors: [], warnings: [] };
  const entries = Object.entries(given).flatMap(([name, value]) => {
    const table = checkTable(name, value, found);
    return table === undefined ? [] : [[name, table] as const];
  });
  const { errors, warnings } = found;
  return { value: Object.fromEntries(entries), errors, warnings };
}

function checkTable(
  name: string,
  value: unknown,
  found: Findings,
): Readonly<Record<string, unknown>> | undefined {
  const { tables, where, errors, warnings } = found;
  const segments = [...tables.setting.split("."), name];
  if (isKeyItself(settingKey(name)) && typeof value !== "object") {
    errors.push({ code: "KEY_IN_SETTINGS", where, segments, message: tables.keyItselfRefused });
    return undefined;
  }
  if (!tables.isName(name)) {
    errors.push({ code: "WRONG_TYPE", where, segments, message: `${tables.nameRule}.` });
    return undefined;
  }
  const full = `${tables.setting}.${name}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = `${full} is a table, not a value; write [${full}] and its keys below.`;
    errors.push({ code: "WRONG_TYPE", where, segments, message });
    return undefined;
  }
  const fields = new Map<string, unknown>();
  const spellings = new Map<string, string>();
  for (const [spelling, given] of Object.entries(value)) {
    spellings.set(settingKey(spelling), spelling);
    addField({ name, spelling, given, fields }, found);
  }
  const table = Object.fromEntries(fields);
  for (const { below, code, message } of tables.oddities(name, table)) {
    const [key, ...rest] = below;
    const spelled = key === undefined ? [] : [spellings.get(key) ?? key, ...rest];
    warnings.push({ code, where, segments: [...segments, ...spelled], message });
  }
  return table;
}

function addField(
  field: {
    readonly name: string;
    readonly spelling: string;
    readonly given: unknown;
    readonly fields: Map<string, unknown>;
  },
  { tables, context, where, errors, warnings }: Findings,
): void {
  const { name, spelling, given, fields } = field;
  const segments = [...tables.setting.split("."), name, spelling];
  const key = settingKey(spelling);
  if (isKeyItself(key)) {
    errors.push({ code: "KEY_IN_SETTINGS", where, segments, message: tables.keyItselfRefused });
    return;
  }
  const row = Object.hasOwn(tables.keys, key) ? tables.keys[key] : undefined;
  if (row === undefined) {
    const message = unknownTableKey(tables, name, spelling);
    warnings.push({ code: "UNKNOWN_KEY", where, segments, message });
    return;
  }
  const full = `${tables.setting}.${name}.${key}`;
  if (fields.has(key)) {
    const message = `${full} is given twice, in two spellings; keep one.`;
    errors.push({ code: "GIVEN_TWICE", where, segments, message });
    return;
  }
  const checked = checkValue(row, given, context);
  if ("value" in checked) {
    fields.set(key, checked.value);
    return;
  }
  const instead = checked.but ?? (isHidden(row.kind) ? undefined : describeValue(given));
  const but = instead === undefined ? "" : `, not ${instead}`;
  const message = `${full} must be ${checked.mustBe}${but}.`;
  errors.push({ code: "WRONG_TYPE", where, segments, message });
}

/** What to say of a key of a table that nobody knows. */
export function unknownTableKey(tables: NamedTables, name: string, spelling: string): string {
  const keys = Object.keys(tables.keys);
  const meant = nearest(settingKey(spelling), keys);
  const hint = meant === undefined ? `It may have ${keys.join(", ")}.` : `Did you mean ${meant}?`;
  const shown = spelling.length > 60 ? `${spelling.slice(0, 60)}…` : spelling;
  return `unknown setting ${tables.setting}.${name}.${shown}. ${hint}`;
}
