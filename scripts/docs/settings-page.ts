import { namedTables } from "../../packages/settings/src/keys/named-tables.ts";
import { SETTING_KEY_NAMES, SETTING_KEYS } from "../../packages/settings/src/keys/setting-keys.ts";
import type {
  CountRange,
  ProjectPower,
  SettingKind,
  SettingVariable,
} from "../../packages/settings/src/keys/setting-row.ts";

const KINDS: Readonly<
  Record<Exclude<SettingKind, "choice" | "choices" | "count" | "tables">, string>
> = {
  switch: "true or false",
  tokens: "a positive integer",
  dollars: "an amount in dollars, such as `5` or `2.5`",
  directory: "an absolute path, or one that starts with `~/`",
  "memory-directory": 'an absolute path, one that starts with `~/`, or `"claude"`',
  directories: "a list of such paths",
  patterns: "a list of gitignore patterns",
  hosts:
    "a list of hosts: `example.com`, `*.example.com` for all hosts below it, or either with a port",
  permissions:
    "a list of rules: a permission (`memory.write`), a category (`memory.*`), a tool name or `*`, optionally with a pattern for the argument (`Bash(git status*)`)",
  model: "`provider/model`",
  url: "an `http` or `https` URL without user name, query and fragment",
  "variable-name": "the name of an environment variable",
  "variable-names": "a list of environment variable names",
  variables: 'a table of strings by variable name, such as `{ PORT = "8080" }`',
  text: "a string",
  sharing:
    '`"ask"`, `"off"`, or `"type:"` with `feedback`, `project` and `reference`, separated by commas',
  "tool-names": "tool names separated by `|`, in which `*` matches any characters",
  texts: "a list of strings",
  "server-url": "an `https` URL, or an `http` URL of this machine, without user name and fragment",
};

const POWERS: Readonly<Record<ProjectPower, string>> = {
  none: "not set it: it is ignored with a warning",
  "turn-off": "turn it off",
  "make-smaller": "lower it",
  add: "add to it",
  request: "request more, which needs your approval",
};

/** docs/settings.md, from the table that also validates the files. */
export function renderSettingsPage(): string {
  return `# Settings

Generated from the settings table by \`pnpm run docs\`; a test checks that it is up to date.

Settings are merged from three optional files; later ones come on top:

| file | owner |
| --- | --- |
| \`<config>/settings.toml\` (\`~/.config/caliban\`, see [directories](architecture.md#directories)) | you |
| \`<workspace>/.caliban/settings.toml\` | the repository: untrusted |
| \`<workspace>/.caliban/settings.local.toml\` | in the repository's directory, so untrusted too |

\`caliban settings\` shows every effective value and its source. \`caliban settings set KEY VALUE\` changes your own file and
keeps its comments. Several values form a list (\`set memories.sources caliban claude\`), and so does one argument such as
\`'["caliban", "claude"]'\`.

- Keys are snake_case; camelCase (\`capTokensAuto\`) is accepted.
- Lists append, other values replace. \`memories.sources\` replaces too.
- An unknown key is reported as a warning that suggests the nearest known key.
- A wrong type or invalid TOML in your own file ends with exit code 2 and \`file:line:column\`. caliban does not start without
  your settings, because they may contain a rule you rely on.
- A repository's file can only tighten, and what it excludes or caps are the repository's own files and the index, not your global
  file or your \`CLAUDE.local.md\`. Keys it may not set are ignored with a warning. If the file is invalid, the error is
  reported and the whole file is ignored. A server in its \`[mcp.servers]\` and a hook in its \`[hooks]\` are requests that
  need your approval, see [servers](permissions.md#servers-that-a-repository-requests) and [hooks](hooks.md#hooks-of-a-repository).
- A value that looks like a secret in a server's settings is reported as a warning, and \`caliban settings\` hides it.
- An environment variable that is not valid ends with exit code 2 and its name. An empty variable counts as unset. A variable
  for a directory must be an absolute path or start with \`~/\`; otherwise it is ignored and \`caliban memory\` says so.
- \`CALIBAN_MEMORY_DIR\` is not a setting. It is the root directory for the topics of all projects: \`<slug>/memory\` below it.

## Keys

${SETTING_KEY_NAMES.map(renderKey).join("\n")}`;
}

function renderKey(key: (typeof SETTING_KEY_NAMES)[number]): string {
  const { kind, choices, range, default: value, doc, variable, project } = SETTING_KEYS[key];
  const environment =
    variable === undefined ? [] : [`- Variable: \`${variable.name}\`, ${effectOf(variable, kind)}`];
  return [
    `### \`${key}\``,
    "",
    doc,
    "",
    `- Value: ${kind === "tables" ? formatTables(key) : formatValue({ kind, choices, range })}`,
    `- Default: ${value === undefined ? "not set" : `\`${JSON.stringify(value)}\``}`,
    ...environment,
    `- A repository may: ${POWERS[project]}${kind === "patterns" ? ", without `!`" : ""}`,
    "",
  ].join("\n");
}

function formatValue({ kind, choices, range }: Form): string {
  if (kind === "choice") return formatChoices(choices ?? {});
  if (kind === "choices") return `a list of ${formatChoices(choices ?? {})}`;
  if (kind === "count") return `an integer from ${range?.min} to ${range?.max}`;
  return kind === "tables" ? "a table" : KINDS[kind];
}

function formatTables(setting: string): string {
  const keys = Object.entries(namedTables(setting)?.keys ?? {}).map(
    ([key, row]) => `  - \`${key}\`: ${formatValue(row)}. ${row.doc}`,
  );
  return ["tables with these optional keys:", ...keys].join("\n");
}

interface Form {
  readonly kind: SettingKind;
  readonly choices?: Readonly<Record<string, string>> | undefined;
  readonly range?: CountRange | undefined;
}

function formatChoices(choices: Readonly<Record<string, string>>): string {
  return Object.entries(choices)
    .map(([choice, meaning]) => `\`"${choice}"\` (${meaning})`)
    .join(", ");
}

function effectOf({ rank, negated }: SettingVariable, kind: SettingKind): string {
  if (kind === "patterns")
    return "appended to the files' values (separated by newlines, on POSIX also by `:`)";
  if (negated === true) return "turns it off regardless of the files, and never on";
  return rank === "below-user-file"
    ? "your settings file takes precedence"
    : "takes precedence over your settings file";
}
