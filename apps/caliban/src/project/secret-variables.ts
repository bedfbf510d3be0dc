import type { Environment } from "@caliban/common";
import { keyValues, keyVariables } from "@caliban/providers";
import type { LoadedSettings } from "@caliban/settings/node";

/** Every variable with a secret: the keys of model providers, and the URL of a database. */
export function secretVariables({ values, trusted }: LoadedSettings): readonly string[] {
  const url = trusted["memory.postgres_url_variable"];
  return [...keyVariables(values.providers), ...(url === undefined ? [] : [url])];
}

/** The secrets themselves, longest first, to be masked wherever they appear. */
export function secretValues(
  { values, trusted }: Pick<LoadedSettings, "values" | "trusted">,
  env: Environment,
): readonly string[] {
  const url = env[trusted["memory.postgres_url_variable"] ?? ""]?.trim() ?? "";
  // Not the password alone, which may be an ordinary word.
  const [, credentials = ""] = /^\w+:\/\/([^/]*:[^/]*)@/.exec(url) ?? [];
  return [...keyValues(values.providers, env), ...[url, credentials].filter(Boolean)].toSorted(
    (one, other) => other.length - one.length,
  );
}
