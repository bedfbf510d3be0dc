/** The paths in a Git config file from which Git loads more, as they are written there. */
export interface GitConfigPaths {
  /** Directories with hooks. */
  readonly hooks: readonly string[];
  /** Other config files, including conditional ones. */
  readonly includes: readonly string[];
  /** Words that may name a program: Git runs the values of many settings. */
  readonly words: readonly string[];
}

interface Setting {
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

const HEADER = /^\s*\[\s*([\w.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]/;
const KEY_AND_VALUE = /^\s*([A-Za-z][\w-]*)\s*=(.*)$/;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
]);

/** Finds the paths in the text of a config file that control what Git runs or reads. */
export function gitConfigPaths(text: string): GitConfigPaths {
  const settings = parseSettings(text).filter(({ value }) => value !== "");
  const valuesWhere = (matches: (setting: Setting) => boolean): readonly string[] =>
    settings.filter(matches).map(({ value }) => value);
  return {
    hooks: valuesWhere(({ section, key }) => section === "core" && key === "hookspath"),
    includes: valuesWhere(
      ({ section, key }) => /^include(?:if)?\b/.test(section) && key === "path",
    ),
    words: [...new Set(settings.flatMap(({ value }) => splitCommand(value)))],
  };
}

const PROGRAM_KEYS: ReadonlySet<string> = new Set(
  "clean command external fsmonitor process program textconv".split(" "),
);

/** Whether commands that only read may run a program that a config file names, here or in a file that it includes. */
export function runsPrograms(text: string): boolean {
  return parseSettings(text).some(
    ({ section, key, value }) =>
      /^include(?:if)?\b/.test(section) ||
      (PROGRAM_KEYS.has(key) && !/^(?:|true|false|git-lfs\b.*)$/.test(value)),
  );
}

/** The words of a command such as `!sh "tools/run me.sh" --fast`. */
function splitCommand(value: string): readonly string[] {
  const words = value.replace(/^!/, "").match(/"[^"]*"|'[^']*'|[^\s"';|&()]+/g) ?? [];
  return [value, ...words.map((word) => word.replace(/^["']|["']$/g, ""))];
}

function parseSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  let section = "";
  // A backslash at the end of a line continues it on the next one.
  const lines = text.replace(/^\uFEFF/, "").replaceAll(/\\\r?\n/g, "");
  for (const line of lines.split(/\r?\n/)) {
    const header = HEADER.exec(line);
    if (header?.[1] !== undefined) section = header[1].toLowerCase();
    const [, key, value] = KEY_AND_VALUE.exec(line.slice(header?.[0].length ?? 0)) ?? [];
    if (key === undefined || value === undefined) continue;
    settings.push({ section, key: key.toLowerCase(), value: parseValue(value) });
  }
  return settings;
}

/** Removes quotes, escapes, surrounding spaces and a trailing comment. */
function parseValue(text: string): string {
  let value = "";
  let isQuoted = false;
  let spaces = "";
  for (const [part] of text.trim().matchAll(/\\.|[^]/g)) {
    if (part === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[#;]/.test(part)) break;
    else if (!isQuoted && /\s/.test(part)) spaces += part;
    else {
      value += spaces + (part.length > 1 ? (ESCAPES.get(part.slice(1)) ?? part.slice(1)) : part);
      spaces = "";
    }
  }
  return value;
}
