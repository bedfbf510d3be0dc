import {
  type Environment,
  expandTilde,
  isAbsolutePath,
  nearest,
  parsePositiveInteger,
  parseSwitch,
} from "@caliban/common";
import { type CheckContext, checkValue } from "./check-value.ts";
import type { SettingsProblem } from "./problem.ts";
import {
  SETTING_KEY_NAMES,
  SETTING_KEYS,
  type SettingKey,
  type SettingValue,
} from "./setting-keys.ts";
import type { SettingKind, SettingVariable } from "./setting-row.ts";

/** The values that variables give, and what is wrong with those that give none. */
export interface EnvironmentLayer {
  readonly values: ReadonlyMap<SettingKey, SettingValue>;
  readonly problems: readonly SettingsProblem[];
  readonly warnings: readonly SettingsProblem[];
}

/** Variables that other parts read, so that they are not taken for misspelt ones. */
const OTHER_VARIABLES = [
  "CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD",
  "CALIBAN_APPROVE_IMPORTS",
  "CALIBAN_DISABLE_CLAUDE_MD_WALK",
  "CALIBAN_MEMORY_DIR",
];

/** Reads every variable of the table. An empty one counts as not set. */
export function readEnvironment(env: Environment, context: CheckContext): EnvironmentLayer {
  const values = new Map<SettingKey, SettingValue>();
  const problems: SettingsProblem[] = [];
  for (const key of SETTING_KEY_NAMES) {
    const { variable } = SETTING_KEYS[key];
    const text = variable && env[variable.name];
    if (variable === undefined || text === undefined || text === "") continue;
    const read = readVariable(key, { variable, text, context });
    if (read.value !== undefined) values.set(key, read.value);
    if (read.mustBe !== undefined) problems.push(badVariable(variable.name, text, read.mustBe));
  }
  return { values, problems, warnings: misspelt(env) };
}

/** A variable of ours that nobody knows is a slip like a misspelt key, when it is near to one that counts. */
function misspelt(env: Environment): readonly SettingsProblem[] {
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
        where: name,
        message: `this variable has no effect. Did you mean ${meant}?`,
      };
    });
}

interface ReadVariable {
  readonly value?: SettingValue;
  readonly mustBe?: string;
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
  switch: ({ text, variable }) => readSwitch(text, variable),
  tokens: ({ text }) => readTokens(text),
  directory: readDirectory,
  // A word does not count here: a variable names the directory itself.
  "memory-directory": readDirectory,
  directories: readList,
  patterns: readList,
};

/** One that is not absolute does not count; the load receipt says so. */
function readDirectory({ text, context }: VariableText): ReadVariable {
  const path = expandTilde(context.style, text, context.home);
  return isAbsolutePath(context.style, path) ? { value: path } : {};
}

function readList({ text, context }: VariableText): ReadVariable {
  return { value: text.split(context.style === "posix" ? /[\n:]/ : "\n").filter(Boolean) };
}

function readTokens(text: string): ReadVariable {
  const value = parsePositiveInteger(text);
  return value === undefined ? { mustBe: "a whole number above 0, like 8000" } : { value };
}

/** A "disable" variable that is off says nothing: it cannot turn on what the file turns off. */
function readSwitch(text: string, { negated = false }: SettingVariable): ReadVariable {
  const isOn = parseSwitch(text);
  if (isOn === undefined) return { mustBe: "1, true, yes, on, or 0, false, no, off" };
  if (!negated) return { value: isOn };
  return isOn ? { value: false } : {};
}

function badVariable(name: string, text: string, mustBe: string): SettingsProblem {
  const message = `must be ${mustBe}, not ${JSON.stringify(text)}.`;
  return { code: "BAD_VARIABLE", where: name, message };
}
