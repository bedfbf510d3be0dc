import type { KeyProblem, ParsedFile } from "./parse-file.ts";
import {
  SETTING_KEY_NAMES,
  SETTING_KEYS,
  type SettingKey,
  type SettingRow,
  type SettingValue,
  type SettingValues,
} from "./setting-keys.ts";
import { appends } from "./setting-row.ts";
import { resolveWishes, type ServerWish } from "./resolve-wishes.ts";

/** Where a value comes from: `where` is the file or the variable. */
export interface SettingOrigin {
  readonly source: "default" | "environment" | "user" | "project";
  readonly where?: string;
}

/** An effective value and where it comes from; a list may come from several places. */
export interface EffectiveSetting {
  readonly key: SettingKey;
  readonly value: SettingValue;
  readonly origins: readonly SettingOrigin[];
}

export interface ResolveInput {
  readonly environment: ReadonlyMap<SettingKey, SettingValue>;
  readonly user: ParsedFile | undefined;
  /** Files of the repository, in the order in which they apply. Untrusted. */
  readonly projects: readonly ParsedFile[];
}

export interface ResolvedSettings {
  readonly values: SettingValues;
  /** The same without the repository's files. */
  readonly trusted: SettingValues;
  readonly effective: readonly EffectiveSetting[];
  /** Servers that the repository wishes for: no setting, but a question to the person. */
  readonly wishes: readonly ServerWish[];
  readonly warnings: readonly KeyProblem[];
}

/** Puts the layers over one another: default, variable or user file by rank, then what a project may tighten. */
export function resolveSettings(input: ResolveInput): ResolvedSettings {
  const warnings: KeyProblem[] = [];
  const trusted = SETTING_KEY_NAMES.map((key) => resolveTrusted(key, input));
  const effective = trusted.map((setting) =>
    input.projects.reduce((current, file) => tighten(current, file, warnings), setting),
  );
  const own = toValues(trusted);
  const wished = resolveWishes(own["mcp.servers"], input.projects);
  warnings.push(...wished.warnings);
  return { values: toValues(effective), trusted: own, effective, wishes: wished.wishes, warnings };
}

function resolveTrusted(key: SettingKey, { environment, user }: ResolveInput): EffectiveSetting {
  const { kind, default: defaultValue, variable } = SETTING_KEYS[key];
  const base: EffectiveSetting = { key, value: defaultValue, origins: [{ source: "default" }] };
  const fromFile = layer(key, user?.values.get(key)?.value, { source: "user", where: user?.path });
  const fromVariable = layer(key, environment.get(key), {
    source: "environment",
    where: variable?.name,
  });
  const layers =
    variable?.rank === "below-user-file" ? [fromVariable, fromFile] : [fromFile, fromVariable];
  const given = layers.filter((setting) => setting !== undefined);
  if (appends(kind)) return given.reduce(append, base);
  return given.at(-1) ?? base;
}

function layer(
  key: SettingKey,
  value: SettingValue,
  {
    source,
    where,
  }: { readonly source: SettingOrigin["source"]; readonly where: string | undefined },
): EffectiveSetting | undefined {
  if (value === undefined || where === undefined) return undefined;
  return { key, value, origins: [{ source, where }] };
}

/** What one file of the repository makes of a value. What it may not do is said and left undone. */
function tighten(
  current: EffectiveSetting,
  file: ParsedFile,
  warnings: KeyProblem[],
): EffectiveSetting {
  const given = file.values.get(current.key);
  if (given === undefined) return current;
  const { segments } = given;
  const refuse = (message: string): void => {
    warnings.push({ code: "NOT_FOR_PROJECTS", where: file.path, segments, message });
  };
  const origins = [{ source: "project", where: file.path }] as const;
  const wished: EffectiveSetting = { key: current.key, value: given.value, origins };
  return POWERS[SETTING_KEYS[current.key].project](current, wished, refuse);
}

type Power = (
  current: EffectiveSetting,
  wished: EffectiveSetting,
  refuse: (message: string) => void,
) => EffectiveSetting;

// Behind characters that a matcher may drop as well: a pattern is judged by what it could mean.
const BRINGS_BACK = /^[\s\p{Cc}\p{Cf}]*!/u;

const POWERS: Readonly<Record<SettingRow["project"], Power>> = {
  none: (current, _wished, refuse) => {
    refuse(`${current.key} is ignored here: only your own settings may set it.`);
    return current;
  },
  // What is wished for is kept apart, whatever the value is.
  wish: (current) => current,
  "turn-off": (current, wished, refuse) => {
    if (wished.value === false) return current.value === false ? current : wished;
    refuse(`${current.key} is ignored here: a project may only turn it off.`);
    return current;
  },
  "make-smaller": (current, wished) =>
    Number(wished.value) < Number(current.value ?? Infinity) ? wished : current,
  add: (current, wished, refuse) => {
    const items = listOf(wished.value);
    const isOfPatterns = SETTING_KEYS[current.key].kind === "patterns";
    const allowed = isOfPatterns ? items.filter((item) => !BRINGS_BACK.test(item)) : items;
    if (allowed.length < items.length) {
      refuse(
        `patterns that begin with ! are ignored here: a project may not bring back what you exclude.`,
      );
    }
    return allowed.length === 0 ? current : append(current, { ...wished, value: allowed });
  },
};

function append(lower: EffectiveSetting, upper: EffectiveSetting): EffectiveSetting {
  const isOnlyDefault = lower.origins.every((origin) => origin.source === "default");
  return {
    key: lower.key,
    value: [...listOf(lower.value), ...listOf(upper.value)],
    origins: isOnlyDefault ? upper.origins : [...lower.origins, ...upper.origins],
  };
}

function listOf(value: SettingValue): readonly string[] {
  return Array.isArray(value) ? value : [];
}

function toValues(settings: readonly EffectiveSetting[]): SettingValues {
  const values = Object.fromEntries(settings.map(({ key, value }) => [key, value]));
  // Every key is in the table and every value was checked against its row, which the compiler cannot see.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return values as unknown as SettingValues;
}
