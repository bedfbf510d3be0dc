import { nearest } from "@caliban/common";
import { type CheckContext, checkValue, describeValue } from "./check-value.ts";
import { settingKey } from "./key-spelling.ts";
import {
  isKeyItself,
  isProviderKey,
  isProviderName,
  KEY_ITSELF_REFUSED,
  PROVIDER_KEYS,
  PROVIDER_NAME_RULE,
  type ProviderSettings,
  type ProviderTable,
} from "./provider-keys.ts";
import type { SettingsProblem } from "./problem.ts";

/** Something wrong below `[providers]`, with the key as it is spelled there. */
interface ProviderProblem extends SettingsProblem {
  readonly segments: readonly string[];
}

export interface CheckedProviders {
  readonly value: ProviderTable;
  readonly errors: readonly ProviderProblem[];
  readonly warnings: readonly ProviderProblem[];
}

/** Proves what stands below `[providers]`; a problem names its own key, not the whole table. */
export function checkProviders(
  table: object,
  context: CheckContext & { readonly where: string },
): CheckedProviders {
  const found: Findings = { context, where: context.where, errors: [], warnings: [] };
  const entries = Object.entries(table).flatMap(([name, value]) => {
    const provider = checkProvider(name, value, found);
    return provider === undefined ? [] : [[name, provider] as const];
  });
  const { errors, warnings } = found;
  return { value: Object.fromEntries(entries), errors, warnings };
}

interface Findings {
  readonly context: CheckContext;
  readonly where: string;
  readonly errors: ProviderProblem[];
  readonly warnings: ProviderProblem[];
}

function checkProvider(
  name: string,
  value: unknown,
  found: Findings,
): ProviderSettings | undefined {
  const { where } = found;
  const segments = ["providers", name];
  if (isKeyItself(settingKey(name))) {
    found.errors.push({ code: "KEY_IN_SETTINGS", where, segments, message: KEY_ITSELF_REFUSED });
    return undefined;
  }
  if (!isProviderName(name)) {
    found.errors.push({ code: "WRONG_TYPE", where, segments, message: `${PROVIDER_NAME_RULE}.` });
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = `providers.${name} is a table, not a value; write [providers.${name}] and its keys below.`;
    found.errors.push({ code: "WRONG_TYPE", where, segments, message });
    return undefined;
  }
  const fields = new Map<string, unknown>();
  for (const [spelling, given] of Object.entries(value)) {
    addField({ name, spelling, given, fields }, found);
  }
  return Object.fromEntries(fields);
}

function addField(
  field: {
    readonly name: string;
    readonly spelling: string;
    readonly given: unknown;
    readonly fields: Map<string, unknown>;
  },
  { context, where, errors, warnings }: Findings,
): void {
  const { name, spelling, given, fields } = field;
  const segments = ["providers", name, spelling];
  const key = settingKey(spelling);
  if (isKeyItself(key)) {
    errors.push({ code: "KEY_IN_SETTINGS", where, segments, message: KEY_ITSELF_REFUSED });
    return;
  }
  if (!isProviderKey(key)) {
    warnings.push({
      code: "UNKNOWN_KEY",
      where,
      segments,
      message: unknownProviderKey(name, spelling),
    });
    return;
  }
  if (fields.has(key)) {
    const message = `providers.${name}.${key} is given twice, in two spellings; keep one.`;
    errors.push({ code: "GIVEN_TWICE", where, segments, message });
    return;
  }
  const checked = checkValue(PROVIDER_KEYS[key], given, context);
  if ("value" in checked) {
    fields.set(key, checked.value);
    return;
  }
  // What stands in place of a variable's name may be the key itself, which no message repeats.
  const but = key === "api_key_env" ? "" : `, not ${describeValue(given)}`;
  const message = `providers.${name}.${key} must be ${checked.mustBe}${but}.`;
  errors.push({ code: "WRONG_TYPE", where, segments, message });
}

/** What to say of a key of a provider that nobody knows. */
export function unknownProviderKey(name: string, spelling: string): string {
  const keys = Object.keys(PROVIDER_KEYS);
  const meant = nearest(settingKey(spelling), keys);
  const hint = meant === undefined ? `It may have ${keys.join(", ")}.` : `Did you mean ${meant}?`;
  const shown = spelling.length > 60 ? `${spelling.slice(0, 60)}…` : spelling;
  return `unknown setting providers.${name}.${shown}. ${hint}`;
}
