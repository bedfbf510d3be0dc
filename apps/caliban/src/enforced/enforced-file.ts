import { ENFORCED_EFFECTS, type EnforcedEffect, parsePermissionRule } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";

/** An enforced rule as it is stored. */
export interface EnforcedEntry {
  readonly effect: EnforcedEffect;
  /** As in permission rules: `Bash(npm *)`. */
  readonly rule: string;
  /** The name of the topic that it was made from. */
  readonly memory: string;
  /** What the topic said when the rule was made. A later change of the topic does not change it. */
  readonly reason: string;
  /** The path that identifies the project; `undefined` for a rule that applies in every project. */
  readonly project: string | undefined;
  /** ISO 8601. */
  readonly created: string;
}

/** The content of a valid file. */
export interface EnforcedEntries {
  readonly entries: readonly EnforcedEntry[];
  /** Everything in the file, so that what a newer version wrote is kept. */
  readonly values: Values;
}

/** The content of the file, or what is wrong with it. Lines count from 1. */
export type EnforcedFile =
  | EnforcedEntries
  | { readonly problem: string; readonly line: number | undefined };

type Values = Readonly<Record<string, unknown>>;

const VERSION = 1;

/** An empty file of the current version. */
export const NO_ENTRIES: EnforcedEntries = {
  entries: [],
  values: { version: VERSION, rules: [] },
};

/** Parses the file. One invalid rule makes the whole file invalid: no rule may be missing unnoticed. */
export function parseEnforcedFile(text: string): EnforcedFile {
  const values = parse(text);
  if (values === undefined) return { problem: "invalid JSON", line: findBrokenLine(text) };
  if (!isRecord(values) || !Array.isArray(values["rules"])) {
    return { problem: 'not an object with a list of "rules"', line: 1 };
  }
  if (values["version"] !== VERSION) {
    const problem = `version ${JSON.stringify(values["version"])} is not known to this caliban; update caliban`;
    return { problem, line: lineOf(text, (line) => line.includes('"version"')) };
  }
  const rules: readonly unknown[] = values["rules"];
  const parsed = rules.map(parseEntry);
  const index = parsed.findIndex((entry) => typeof entry === "string");
  const problem = parsed[index];
  if (typeof problem === "string") {
    const written = JSON.stringify(rules[index]);
    return { problem, line: lineOf(text, (line) => withoutComma(line) === written) };
  }
  return { entries: parsed.filter((entry) => typeof entry !== "string"), values };
}

/** Renders entries with one line for each, after the other values that the file had. */
export function renderEnforcedFile(values: Values, entries: readonly EnforcedEntry[]): string {
  const others = Object.entries({ ...values, version: VERSION }).filter(
    ([name]) => name !== "rules",
  );
  const head = others.map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const lines = entries.map((entry) => `    ${JSON.stringify(toValues(entry, values))}`);
  const rules = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  return ["{", ...head, `  "rules": ${rules}`, "}", ""].join("\n");
}

/** Whether two entries are the same rule for the same memory, whatever their reasons and times. */
export function isSameEntry(one: EnforcedEntry, other: EnforcedEntry): boolean {
  return identityOf(one) === identityOf(other);
}

function identityOf({ effect, rule, memory, project }: EnforcedEntry): string {
  return JSON.stringify([effect, rule, memory, project]);
}

/** Fields that a newer version wrote are kept. */
function toValues(entry: EnforcedEntry, { rules }: Values): Values {
  const { project, ...fields } = entry;
  const known: readonly unknown[] = Array.isArray(rules) ? rules : [];
  const written = known.find((each) => {
    const parsed = parseEntry(each);
    return typeof parsed !== "string" && isSameEntry(parsed, entry);
  });
  const scope = project === undefined ? { scope: "user" } : { scope: "project", project };
  return { ...(isRecord(written) ? written : {}), ...fields, ...scope };
}

function parseEntry(value: unknown): EnforcedEntry | string {
  if (!isRecord(value)) return "a rule must be an object";
  const { memory, reason, created = "" } = value;
  const effect = ENFORCED_EFFECTS.find((known) => known === value["effect"]);
  if (effect === undefined) return `"effect" must be one of ${ENFORCED_EFFECTS.join(", ")}`;
  const { rule } = value;
  if (typeof rule !== "string") return '"rule" must be a permission rule';
  const parsed = parsePermissionRule(rule);
  if ("problem" in parsed) return `"rule" is not a valid permission rule: ${parsed.problem}`;
  if (typeof memory !== "string" || typeof reason !== "string" || typeof created !== "string") {
    return '"memory", "reason" and "created" must be texts';
  }
  const scope = parseScope(value);
  return scope === undefined
    ? '"scope" must be "user", or "project" with the path of a project'
    : { effect, rule, memory, reason, created, ...scope };
}

function parseScope({ scope, project }: Values): Pick<EnforcedEntry, "project"> | undefined {
  if (scope === "user") return { project: undefined };
  return scope === "project" && typeof project === "string" ? { project } : undefined;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The first rule that is not valid by itself; otherwise where the text ends. */
function findBrokenLine(text: string): number {
  const lines = text.trimEnd().split("\n");
  const broken = lines.findIndex((line) => {
    const rule = withoutComma(line);
    return /^\{./.test(rule) && parse(rule) === undefined;
  });
  return broken === -1 ? lines.length : broken + 1;
}

function lineOf(text: string, matches: (line: string) => boolean): number | undefined {
  const index = text.split("\n").findIndex(matches);
  return index === -1 ? undefined : index + 1;
}

function withoutComma(line: string): string {
  return line.trim().replace(/,$/, "");
}
