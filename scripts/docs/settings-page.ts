import { namedTables } from "../../packages/settings/src/named-tables.ts";
import { SETTING_KEY_NAMES, SETTING_KEYS } from "../../packages/settings/src/setting-keys.ts";
import type {
  CountRange,
  ProjectPower,
  SettingKind,
  SettingVariable,
} from "../../packages/settings/src/setting-row.ts";

const KINDS: Readonly<
  Record<Exclude<SettingKind, "choice" | "choices" | "count" | "tables">, string>
> = {
  switch: "true or false",
  tokens: "a whole number above 0",
  directory: "an absolute path, or one below `~/`",
  "memory-directory": 'an absolute path, one below `~/`, or `"claude"`',
  directories: "a list of such paths",
  patterns: "a list of gitignore patterns",
  permissions:
    "a list of rules: a permission (`memory.write`), a category (`memory.*`), a tool's name or `*`, each with or without a pattern for what it is used on (`Bash(git status*)`)",
  model: "a provider and a model, `provider/model`",
  url: "an `http` or `https` URL, without user name, query and fragment",
  "variable-name": "the name of an environment variable",
  "variable-names": "a list of names of environment variables",
  variables: 'a table of texts by the names of variables, as in `{ PORT = "8080" }`',
  text: "a text",
  texts: "a list of texts",
  "server-url": "an `https` URL, or an `http` one of this machine, without user name and fragment",
};

const POWERS: Readonly<Record<ProjectPower, string>> = {
  none: "nothing: it is ignored, with a warning",
  "turn-off": "turn it off",
  "make-smaller": "make it smaller",
  add: "add to it",
  wish: "wish for more, which you are [asked about](permissions.md#servers-that-a-repository-wishes-for)",
};

/** docs/settings.md, from the table that also checks the files. */
export function renderSettingsPage(): string {
  return `# Settings

Made from the settings table by \`pnpm run docs\`; a test checks that it is up to date.

Three files, each optional, over one another:

| file | whose it is |
| --- | --- |
| \`<config>/settings.toml\` (\`~/.config/caliban\`, see [places](architecture.md#places)) | yours |
| \`<workspace>/.caliban/settings.toml\` | the repository's: untrusted |
| \`<workspace>/.caliban/settings.local.toml\` | in the repository's directory, and so untrusted too |

\`caliban settings\` shows every effective value and where it comes from. \`caliban settings set KEY VALUE\` changes your
own file and keeps its comments; several values make a list (\`set memories.sources caliban claude\`), and so does
one word such as \`'["caliban", "claude"]'\`.

- Keys are snake_case; camelCase (\`capTokensAuto\`) is accepted.
- Lists append, other values replace; \`memories.sources\`, whose default is a choice, replaces too.
- An unknown key is a warning that names the nearest known one.
- A wrong type or broken TOML in your own file ends with exit code 2 and \`file:line:column\`. caliban does not go on without
  your settings, because a rule you rely on may stand in them.
- A repository's file can only tighten. What it may not set is ignored with a warning; an error in it is reported, and the
  whole file is ignored. A server below \`[mcp.servers]\` in it is no setting but a wish: you are
  [asked](permissions.md#servers-that-a-repository-wishes-for) before it is there.
- What looks like a secret in the settings of a server is a warning, and \`caliban settings\` does not show it.
- An environment variable that does not parse ends with exit code 2 and its name. An empty one counts as not set. One that names a
  directory counts only as an absolute path (or below \`~/\`); another is ignored, and \`caliban memory\` says so.
- \`CALIBAN_MEMORY_DIR\` is no setting: it is a root for the notes of all projects, below which each has \`<slug>/memory\`.

## Keys

${SETTING_KEY_NAMES.map(renderKey).join("\n")}`;
}

function renderKey(key: (typeof SETTING_KEY_NAMES)[number]): string {
  const { kind, choices, range, default: value, doc, variable, project } = SETTING_KEYS[key];
  const environment =
    variable === undefined ? [] : [`- Variable: \`${variable.name}\`; ${effectOf(variable, kind)}`];
  return [
    `### \`${key}\``,
    "",
    doc,
    "",
    `- Value: ${kind === "tables" ? tablesInWords(key) : valueInWords({ kind, choices, range })}`,
    `- Default: ${value === undefined ? "not set" : `\`${JSON.stringify(value)}\``}`,
    ...environment,
    `- A repository may: ${POWERS[project]}${kind === "patterns" ? ", without `!`" : ""}`,
    "",
  ].join("\n");
}

function valueInWords({ kind, choices, range }: Form): string {
  if (kind === "choice") return choicesInWords(choices ?? {});
  if (kind === "choices") return `a list of ${choicesInWords(choices ?? {})}`;
  if (kind === "count") return `a whole number from ${range?.least} to ${range?.most}`;
  return kind === "tables" ? "a table" : KINDS[kind];
}

function tablesInWords(setting: string): string {
  const keys = Object.entries(namedTables(setting)?.keys ?? {}).map(
    ([key, row]) => `  - \`${key}\`: ${valueInWords(row)}. ${row.doc}`,
  );
  return ["tables with these keys, each optional:", ...keys].join("\n");
}

interface Form {
  readonly kind: SettingKind;
  readonly choices?: Readonly<Record<string, string>> | undefined;
  readonly range?: CountRange | undefined;
}

function choicesInWords(choices: Readonly<Record<string, string>>): string {
  return Object.entries(choices)
    .map(([choice, meaning]) => `\`"${choice}"\` (${meaning})`)
    .join(", ");
}

function effectOf({ rank, negated }: SettingVariable, kind: SettingKind): string {
  if (kind === "patterns") return "it is appended (newline-separated, on POSIX also by `:`)";
  if (negated === true) return "it turns this off whatever the files say, and never on";
  return rank === "below-user-file"
    ? "your settings file wins over it"
    : "it wins over your settings file";
}
