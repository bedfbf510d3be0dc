import { nearest } from "@caliban/common";
import { OFFLINE_MODEL } from "./find-endpoint.ts";
import type { ProviderTable } from "./provider-settings.ts";
import { KNOWN_PROVIDERS, knownProvider } from "./provider-table.ts";

/** The model that a user means, or why that is not clear. */
export type MatchedModel = { readonly name: string } | { readonly problem: string };

/** Its table lists no more than a default. */
const SERVES_ANY_MODEL = "openrouter";

/**
 * Finds the model that a user means by a part of its name, such as `opus`. A name of a provider whose models are known must
 * be one of them, or a version of one. Names of all other providers are returned unchanged.
 */
export function matchModel(typed: string, own: ProviderTable): MatchedModel {
  const slash = typed.indexOf("/");
  const provider = typed.slice(0, Math.max(0, slash));
  const known = knownProvider(provider)?.models ?? [];
  const isOpen = Object.hasOwn(own, provider) || provider === SERVES_ANY_MODEL;
  if (slash > 0 && (isOpen || known.length === 0)) return { name: typed };
  const all = slash > 0 ? known.map((model) => `${provider}/${model}`) : allModels();
  if (all.includes(typed)) return { name: typed };
  // A name with a date is a version of the model.
  if (slash > 0 && all.some((name) => typed.startsWith(`${name}-`))) return { name: typed };
  const part = typed.slice(slash + 1).toLowerCase();
  const matches =
    part === "" ? [] : all.filter((name) => name.slice(name.indexOf("/") + 1).includes(part));
  const [only, ...others] = matches;
  if (only !== undefined && others.length === 0) return { name: only };
  if (only !== undefined) {
    return { problem: `several models match "${typed}": ${matches.join(", ")}` };
  }
  if (slash <= 0 && Object.hasOwn(own, typed)) return { name: typed };
  const meant =
    nearest(typed, all) ??
    nearest(
      part,
      all.map((name) => name.slice(name.indexOf("/") + 1)),
    );
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return { problem: `unknown model "${typed}".${hint} Known: ${all.join(", ")}` };
}

function allModels(): readonly string[] {
  const known = Object.entries(KNOWN_PROVIDERS).flatMap(([provider, { models }]) =>
    models.map((model) => `${provider}/${model}`),
  );
  return [...known, OFFLINE_MODEL];
}
