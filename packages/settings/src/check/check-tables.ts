import { type CheckContext, checkValue, describeValue, mayBeSecret } from "./check-value.ts";
import { settingKey, unknownTableKeyMessage } from "../keys/key-spelling.ts";
import { isLiteralKey, type NamedTables } from "../keys/named-tables.ts";
import type { SettingsDiagnostic } from "../diagnostic.ts";

/** A problem inside a table of tables, with the key as spelled there. */
interface TableDiagnostic extends SettingsDiagnostic {
  readonly segments: readonly string[];
}

export interface CheckedTables {
  readonly value: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly errors: readonly TableDiagnostic[];
  readonly warnings: readonly TableDiagnostic[];
}

interface Findings {
  readonly tables: NamedTables;
  readonly context: CheckContext;
  readonly path: string;
  readonly errors: TableDiagnostic[];
  readonly warnings: TableDiagnostic[];
}

/** Checks a setting that is a table of tables. A problem names its own key, not the whole table. */
export function checkTables(
  tables: NamedTables,
  given: object,
  context: CheckContext & { readonly path: string },
): CheckedTables {
  const found: Findings = { tables, context, path: context.path, errors: [], warnings: [] };
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
  const { tables, path, errors, warnings } = found;
  const segments = [...tables.setting.split("."), name];
  if (isLiteralKey(settingKey(name)) && typeof value !== "object") {
    errors.push({ code: "KEY_IN_SETTINGS", path, segments, message: tables.literalKeyMessage });
    return undefined;
  }
  if (!tables.isName(name)) {
    errors.push({ code: "WRONG_TYPE", path, segments, message: `${tables.nameRule}.` });
    return undefined;
  }
  const full = `${tables.setting}.${name}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = `${full} is a table, not a value. Write [${full}] with its keys below it.`;
    errors.push({ code: "WRONG_TYPE", path, segments, message });
    return undefined;
  }
  const fields = new Map<string, unknown>();
  const spellings = new Map<string, string>();
  for (const [spelling, given] of Object.entries(value)) {
    spellings.set(settingKey(spelling), spelling);
    addField({ name, spelling, given, fields }, found);
  }
  const table = Object.fromEntries(fields);
  for (const { below, code, message } of tables.findWarnings(name, table)) {
    const [key, ...rest] = below;
    const spelled = key === undefined ? [] : [spellings.get(key) ?? key, ...rest];
    warnings.push({ code, path, segments: [...segments, ...spelled], message });
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
  { tables, context, path, errors, warnings }: Findings,
): void {
  const { name, spelling, given, fields } = field;
  const segments = [...tables.setting.split("."), name, spelling];
  const key = settingKey(spelling);
  if (isLiteralKey(key)) {
    errors.push({ code: "KEY_IN_SETTINGS", path, segments, message: tables.literalKeyMessage });
    return;
  }
  const row = Object.hasOwn(tables.keys, key) ? tables.keys[key] : undefined;
  if (row === undefined) {
    const message = unknownTableKeyMessage(tables, name, spelling);
    warnings.push({ code: "UNKNOWN_KEY", path, segments, message });
    return;
  }
  const full = `${tables.setting}.${name}.${key}`;
  if (fields.has(key)) {
    const message = `${full} is set twice, in two spellings. Keep one.`;
    errors.push({ code: "GIVEN_TWICE", path, segments, message });
    return;
  }
  const checked = checkValue(row, given, context);
  if ("value" in checked) {
    fields.set(key, checked.value);
    return;
  }
  const actual = checked.actual ?? (mayBeSecret(row.kind) ? undefined : describeValue(given));
  const not = actual === undefined ? "" : `, not ${actual}`;
  const message = `${full} must be ${checked.expected}${not}.`;
  errors.push({ code: "WRONG_TYPE", path, segments, message });
}
