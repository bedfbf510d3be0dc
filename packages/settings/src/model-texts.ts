/** What a model must be written as. */
export const MODEL_FORM: string = 'a provider and a model like "anthropic/claude-sonnet-5-5"';
/** What a base URL must be. */
export const URL_FORM: string =
  "a URL like https://example.com/v1, without user name, query and fragment";
/** What stands for a key. */
export const VARIABLE_FORM: string = "the name of an environment variable, like MY_SERVER_API_KEY";

/** Whether a value is `provider/model`; the model's own name may have slashes too. */
export function isModelName(value: unknown): value is string {
  return typeof value === "string" && /^[a-z0-9][a-z0-9_-]{0,63}\/[\w.:@+/-]{1,200}$/.test(value);
}

/** Whether a value is a URL without secrets: a password in it would be shown wherever the URL is. */
export function isPlainUrl(value: unknown): value is string {
  if (typeof value !== "string" || value.length > 2000) return false;
  return /^https?:\/\/[^\s@?#\\]+$/.test(value) && URL.canParse(value);
}

/** Whether a value names a variable. Keys without a dash look like names; those of well-known form do not pass. */
export function isVariableName(value: unknown): value is string {
  if (typeof value !== "string" || value.length > 100) return false;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(value) && !/^(?:AIza|gsk_|hf_|sk_|xai_)/.test(value);
}
