import type { SettingValue } from "./setting-keys.ts";

const SECRET_NAME =
  /(?:^|[_-])(?:api_?key|key|token|secret|password|passwd|pwd|pat|credentials?)$/i;

/** How the tokens of well-known services begin. */
const SECRET_TEXT =
  /^(?:sk-|sk_|pk_live_|rk_live_|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|gsk_|hf_|npm_|xai-)\S{8}/;

/** Whether a text has the name of a secret or begins like one. The full secret scanner takes too long to load for this. */
export function looksSecret(name: string, text: string): boolean {
  return text !== "" && (SECRET_NAME.test(name) || SECRET_TEXT.test(text));
}

/** Shown instead of a secret. */
const REDACTED = "(not shown)";

/** A value for display, without what looks like a secret. */
export function redactedValue(value: SettingValue): SettingValue {
  // The shape stays: only texts are replaced, by texts.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return redacted("", value) as SettingValue;
}

/** The same for one table, whatever is in it. */
export function redactedTable(table: object): object {
  return Object.fromEntries(
    Object.entries(table).map(([key, item]: [string, unknown]) => [key, redacted(key, item)]),
  );
}

/** The same for the arguments of a command. */
export function redactedTexts(texts: readonly string[]): readonly string[] {
  return texts.map((text) => redactedText("", text));
}

function redacted(name: string, value: unknown): unknown {
  if (typeof value === "string") return redactedText(name, value);
  if (Array.isArray(value)) return value.map((item: unknown) => redacted("", item));
  if (typeof value !== "object" || value === null) return value;
  return redactedTable(value);
}

function redactedText(name: string, text: string): string {
  if (looksSecret(name, text)) return REDACTED;
  const option = /^--?([\w-]+)=([^]*)$/.exec(text);
  if (option !== null && looksSecret(option[1] ?? "", option[2] ?? ""))
    return `--${option[1]}=${REDACTED}`;
  return hasSecretQuery(text) ? `${text.slice(0, text.indexOf("?"))}?${REDACTED}` : text;
}

/** Whether the query of a URL contains a secret. */
export function hasSecretQuery(text: string): boolean {
  if (!/^https?:[^?]*\?/.test(text) || !URL.canParse(text)) return false;
  return [...new URL(text).searchParams].some(([key, value]) => looksSecret(key, value));
}
