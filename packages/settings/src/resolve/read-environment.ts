import {
  type Environment,
  expandTilde,
  isAbsolutePath,
  nearest,
  parseFlag,
  parsePositiveInteger,
  terminalSafeJsonLine,
} from "@caliban/common";
import { type CheckContext, checkValue } from "../check/check-value.ts";
import type { SettingsDiagnostic } from "../diagnostic.ts";
import {
  SETTING_KEY_NAMES,
  SETTING_KEYS,
  type SettingKey,
  type SettingValue,
} from "../keys/setting-keys.ts";
import type { SettingKind, SettingVariable } from "../keys/setting-row.ts";

/** The values of variables, and the problems of those without a valid value. */
export interface EnvironmentLayer {
  readonly values: ReadonlyMap<SettingKey, SettingValue>;
  readonly problems: readonly SettingsDiagnostic[];
  readonly warnings: readonly SettingsDiagnostic[];
}

/** Variables that other parts read, and that are therefore not misspelled. */
const OTHER_VARIABLES = [
  "CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD",
  "CALIBAN_APPROVE_IMPORTS",
  "CALIBAN_DISABLE_CLAUDE_MD_WALK",
  "CALIBAN_DISABLE_HOOKS",
  "CALIBAN_MEMORY_DIR",
];

/** Reads every variable of the settings table. An empty one counts as unset. */
export function readEnvironment(env: Environment, context: CheckContext): EnvironmentLayer {
  const values = new Map<SettingKey, SettingValue>();
  const problems: SettingsDiagnostic[] = [];
  for (const key of SETTING_KEY_NAMES) {
    const { variable } = SETTING_KEYS[key];
    const text = variable && env[variable.name];
    if (variable === undefined || text === undefined || text === "") continue;
    const read = readVariable(key, { variable, text, context });
    if (read.value !== undefined) values.set(key, read.value);
    if (read.expected !== undefined) problems.push(badVariable(variable.name, text, read.expected));
  }
  return { values, problems, warnings: findMisspelled(env) };
}

/** Unknown variables with our prefix that look like a typo of a known one. */
function findMisspelled(env: Environment): readonly SettingsDiagnostic[] {
  const known = [
    ...SETTING_KEY_NAMES.flatMap((key) => SETTING_KEYS[key].variable?.name ?? []),
    ...OTHER_VARIABLES,
  ];
  return Object.keys(env)
    .filter((name) => name.startsWith("CALIBAN_") && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known);
      if (meant === undefined) return [];
      return {
        code: "UNKNOWN_VARIABLE",
        variable: name,
        message: `this variable has no effect. Did you mean ${meant}?`,
      };
    });
}

interface ReadVariable {
  readonly value?: SettingValue;
  readonly expected?: string;
}

interface VariableText {
  readonly variable: SettingVariable;
  readonly text: string;
  readonly context: CheckContext;
}

function readVariable(key: SettingKey, input: VariableText): ReadVariable {
  const row = SETTING_KEYS[key];
  if (row.kind === "model") return checkValue(row, input.text, input.context);
  // No row of another kind has a variable: a stray one must not decide what tools may do, or what is learned.
  return READERS[row.kind]?.(input) ?? {};
}

const READERS: Readonly<Partial<Record<SettingKind, (input: VariableText) => ReadVariable>>> = {
  switch: ({ text, variable }) => readFlag(text, variable),
  tokens: ({ text }) => readTokens(text),
  directory: readDirectory,
  // The word "claude" does not count here: a variable names the directory itself.
  "memory-directory": readDirectory,
  directories: readList,
  patterns: readList,
};

/** A relative path is ignored; the load receipt reports it. */
function readDirectory({ text, context }: VariableText): ReadVariable {
  const path = expandTilde(context.style, text, context.home);
  return isAbsolutePath(context.style, path) ? { value: path } : {};
}

function readList({ text, context }: VariableText): ReadVariable {
  return { value: text.split(context.style === "posix" ? /[\n:]/ : "\n").filter(Boolean) };
}

function readTokens(text: string): ReadVariable {
  const value = parsePositiveInteger(text);
  return value === undefined ? { expected: "a positive integer, like 8000" } : { value };
}

/** A "disable" variable that is off has no effect: it cannot turn on what the file turns off. */
function readFlag(text: string, { negated = false }: SettingVariable): ReadVariable {
  const isOn = parseFlag(text);
  if (isOn === undefined) return { expected: "1, true, yes, on, or 0, false, no, off" };
  if (!negated) return { value: isOn };
  return isOn ? { value: false } : {};
}

function badVariable(name: string, text: string, expected: string): SettingsDiagnostic {
  const message = `must be ${expected}, not ${terminalSafeJsonLine(text)}.`;
  return { code: "BAD_VARIABLE", variable: name, message };
}
