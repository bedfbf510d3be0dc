/** The paths in a config file of Git from which it takes more, as they stand there. */
export interface GitConfigPaths {
  /** Directories of hooks. */
  readonly hooks: readonly string[];
  /** Further config files, also those that count under a condition. */
  readonly includes: readonly string[];
}

interface Setting {
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

const HEADER = /^\s*\[\s*([\w.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]/;
const KEY_AND_VALUE = /^\s*([A-Za-z][\w-]*)\s*=(.*)$/;
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
]);

/** Finds the paths that steer Git in the text of a config file. */
export function gitConfigPaths(text: string): GitConfigPaths {
  const settings = settingsOf(text).filter(({ value }) => value !== "");
  const valuesOf = (isMeant: (setting: Setting) => boolean): readonly string[] =>
    settings.filter(isMeant).map(({ value }) => value);
  return {
    hooks: valuesOf(({ section, key }) => section === "core" && key === "hookspath"),
    includes: valuesOf(({ section, key }) => /^include(?:if)?\b/.test(section) && key === "path"),
  };
}

function settingsOf(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  let section = "";
  // A backslash at the end of a line goes on with the next one.
  const lines = text.replace(/^\uFEFF/, "").replaceAll(/\\\r?\n/g, "");
  for (const line of lines.split(/\r?\n/)) {
    const header = HEADER.exec(line);
    if (header?.[1] !== undefined) section = header[1].toLowerCase();
    const [, key, value] = KEY_AND_VALUE.exec(line.slice(header?.[0].length ?? 0)) ?? [];
    if (key === undefined || value === undefined) continue;
    settings.push({ section, key: key.toLowerCase(), value: valueOf(value) });
  }
  return settings;
}

/** Without quotes, escapes, the spaces around it, and what is remarked behind it. */
function valueOf(text: string): string {
  let value = "";
  let isQuoted = false;
  let held = "";
  for (const [part] of text.trim().matchAll(/\\.|[^]/g)) {
    if (part === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[#;]/.test(part)) break;
    else if (!isQuoted && /\s/.test(part)) held += part;
    else {
      value += held + (part.length > 1 ? (ESCAPED.get(part.slice(1)) ?? part.slice(1)) : part);
      held = "";
    }
  }
  return value;
}
