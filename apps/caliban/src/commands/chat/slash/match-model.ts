import { nearest } from "@caliban/common";
import { KNOWN_MODELS } from "../../candidates/known-models.ts";

/** The model that a user means, or why that is not clear. */
export type MatchedModel = { readonly name: string } | { readonly problem: string };

/** The table lists no more than its default. */
const SERVES_ANY_MODEL = "openrouter";

/**
 * Finds the model that a user means by a part of its name, such as `opus`. A name of a provider whose models are known must
 * be one of them, or a version of one. Names of all other providers, such as those in `own`, are returned unchanged.
 */
export function matchModel(typed: string, own: readonly string[]): MatchedModel {
  const slash = typed.indexOf("/");
  if (slash <= 0) return own.includes(typed) ? { name: typed } : matchIn(typed, KNOWN_MODELS);
  const provider = typed.slice(0, slash);
  const known = KNOWN_MODELS.filter((name) => name.startsWith(`${provider}/`));
  const isOpen = own.includes(provider) || provider === SERVES_ANY_MODEL;
  // A name with a date is a version of the model.
  const isKnown = known.some((name) => typed === name || typed.startsWith(`${name}-`));
  return isOpen || isKnown || known.length === 0 ? { name: typed } : matchIn(typed, known);
}

function matchIn(typed: string, all: readonly string[]): MatchedModel {
  const part = modelOf(typed).toLowerCase();
  const matches = part === "" ? [] : all.filter((name) => modelOf(name).includes(part));
  const [only, ...others] = matches;
  if (only !== undefined && others.length === 0) return { name: only };
  if (only !== undefined) {
    return { problem: `several models match "${typed}": ${matches.join(", ")}` };
  }
  const meant = nearest(typed, all) ?? nearest(part, all.map(modelOf));
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return { problem: `unknown model "${typed}".${hint} Known: ${all.join(", ")}` };
}

function modelOf(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}
