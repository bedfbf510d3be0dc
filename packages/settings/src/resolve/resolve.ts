import type { KeyDiagnostic, ParsedFile } from "../file/parse-file.ts";
import { settingKey } from "../keys/key-spelling.ts";
import { namedTables } from "../keys/named-tables.ts";
import { parseSettingPath, type PathError } from "../keys/setting-path.ts";
import {
  SETTING_KEY_NAMES,
  SETTING_KEYS,
  type SettingKey,
  type SettingRow,
  type SettingValue,
  type SettingValues,
} from "../keys/setting-keys.ts";
import { appends } from "../keys/setting-row.ts";
import { type RequestedHook, type RequestedServer, resolveRequests } from "./requests.ts";

/** The origin of a value: `where` is the file or the variable. */
export interface SettingOrigin {
  readonly source: "default" | "environment" | "user" | "project";
  readonly where?: string;
}

/** An effective value with its origins; a list may have several. */
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
  /** Servers that the repository requests. They are not settings: each needs the user's approval. */
  readonly requestedServers: readonly RequestedServer[];
  /** The same for hooks. */
  readonly requestedHooks: readonly RequestedHook[];
  readonly warnings: readonly KeyDiagnostic[];
}

/** Merges the layers: default, variable or user file by rank, then what a project may tighten. */
export function resolveSettings(input: ResolveInput): ResolvedSettings {
  const warnings: KeyDiagnostic[] = [];
  const trusted = SETTING_KEY_NAMES.map((key) => resolveTrusted(key, input));
  const effective = trusted.map((setting) =>
    input.projects.reduce((current, file) => tighten(current, file, warnings), setting),
  );
  const own = toValues(trusted);
  const { projects } = input;
  const servers = resolveRequests({
    setting: "mcp.servers",
    noun: "server",
    own: own["mcp.servers"],
    projects,
  });
  const hooks = resolveRequests({ setting: "hooks", noun: "hook", own: own.hooks, projects });
  warnings.push(...servers.warnings, ...hooks.warnings);
  return {
    values: toValues(effective),
    trusted: own,
    effective,
    requestedServers: servers.requests,
    requestedHooks: hooks.requests,
    warnings,
  };
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

/** Applies one file of the repository to a value. What it may not do is reported and ignored. */
function tighten(
  current: EffectiveSetting,
  file: ParsedFile,
  warnings: KeyDiagnostic[],
): EffectiveSetting {
  const given = file.values.get(current.key);
  if (given === undefined) return current;
  const { segments } = given;
  const refuse = (message: string): void => {
    warnings.push({ code: "NOT_FOR_PROJECTS", path: file.path, segments, message });
  };
  const origins = [{ source: "project", where: file.path }] as const;
  const requested: EffectiveSetting = { key: current.key, value: given.value, origins };
  return POWERS[SETTING_KEYS[current.key].project](current, requested, refuse);
}

type Power = (
  current: EffectiveSetting,
  requested: EffectiveSetting,
  refuse: (message: string) => void,
) => EffectiveSetting;

// After characters that a matcher may drop: a pattern is judged by what it could mean.
const NEGATED = /^[\s\p{Cc}\p{Cf}]*!/u;

const POWERS: Readonly<Record<SettingRow["project"], Power>> = {
  none: (current, _requested, refuse) => {
    refuse(`${current.key} is ignored in a project file: only your own settings can set it.`);
    return current;
  },
  // Requests are kept apart from the values.
  request: (current) => current,
  "turn-off": (current, requested, refuse) => {
    const off = SETTING_KEYS[current.key].kind === "sharing" ? "off" : false;
    if (requested.value === off) return current.value === off ? current : requested;
    refuse(`${current.key} is ignored in a project file: a project can only turn it off.`);
    return current;
  },
  "make-smaller": (current, requested) =>
    Number(requested.value) < Number(current.value ?? Infinity) ? requested : current,
  add: (current, requested, refuse) => {
    const items = listOf(requested.value);
    const hasPatterns = SETTING_KEYS[current.key].kind === "patterns";
    const allowed = hasPatterns ? items.filter((item) => !NEGATED.test(item)) : items;
    if (allowed.length < items.length) {
      refuse(
        "patterns that begin with ! are ignored in a project file: a project cannot re-include what you exclude.",
      );
    }
    return allowed.length === 0 ? current : append(current, { ...requested, value: allowed });
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

/** The effective value of a typed key, which may name a whole table, or what is wrong with the key. */
export function effectiveValue(
  effective: readonly EffectiveSetting[],
  spelling: string,
): { readonly value: SettingValue } | PathError {
  const whole = effective.find(({ key }) => key === settingKey(spelling));
  if (whole !== undefined) return { value: whole.value };
  const path = parseSettingPath(spelling);
  if ("message" in path) return path;
  const table: unknown = effective.find(({ key }) => key === path.key)?.value;
  const isInTable = namedTables(path.key) !== undefined;
  const found = isInTable ? path.steps.slice(-2).reduce(childOf, table) : undefined;
  // The value was checked against its row, which the compiler cannot see.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { value: found as SettingValue };
}

function childOf(table: unknown, name: string): unknown {
  if (typeof table !== "object" || table === null || !Object.hasOwn(table, name)) return undefined;
  return Reflect.get(table, name);
}
