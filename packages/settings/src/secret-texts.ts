import type { SettingValue } from "./setting-keys.ts";

const SECRET_NAME =
  /(?:^|[_-])(?:api_?key|key|token|secret|password|passwd|pwd|pat|credentials?)$/i;

/** How the tokens of well-known services begin. */
const SECRET_TEXT =
  /^(?:sk-|sk_|pk_live_|rk_live_|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|gsk_|hf_|npm_|xai-)\S{8}/;

/** Whether a text stands where a secret would, or begins like one. The whole scan of texts takes too long to load for this. */
export function looksSecret(name: string, text: string): boolean {
  return text !== "" && (SECRET_NAME.test(name) || SECRET_TEXT.test(text));
}

/** What stands in place of a secret. */
const NOT_SHOWN = "(not shown)";

/** A value as it may be shown: without what looks like a secret in tables below it. */
export function presentableValue(value: SettingValue): SettingValue {
  // The form stays: only texts are replaced, by texts.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return presentable("", value) as SettingValue;
}

/** The same for the words of a command line. */
export function presentableTexts(texts: readonly string[]): readonly string[] {
  return texts.map((text) => presentableText("", text));
}

function presentable(name: string, value: unknown): unknown {
  if (typeof value === "string") return presentableText(name, value);
  if (Array.isArray(value)) return value.map((item: unknown) => presentable("", item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, presentable(key, item)]),
  );
}

function presentableText(name: string, text: string): string {
  if (looksSecret(name, text)) return NOT_SHOWN;
  const option = /^--?([\w-]+)=([^]*)$/.exec(text);
  if (option !== null && looksSecret(option[1] ?? "", option[2] ?? ""))
    return `--${option[1]}=${NOT_SHOWN}`;
  return hasSecretQuery(text) ? `${text.slice(0, text.indexOf("?"))}?${NOT_SHOWN}` : text;
}

/** Whether a URL has a secret behind its question mark. */
export function hasSecretQuery(text: string): boolean {
  if (!/^https?:[^?]*\?/.test(text) || !URL.canParse(text)) return false;
  return [...new URL(text).searchParams].some(([key, value]) => looksSecret(key, value));
}
