import type { PermissionMode, PermissionPolicy, PolicyRule } from "./decide-permission.ts";
import { parsePermissionRule } from "./permission-rule.ts";

/** Rules as they are written in one place. */
export interface RuleSource {
  readonly list: "allow" | "ask" | "deny";
  /** A file as it is displayed, or a flag such as `--deny`. */
  readonly source: string;
  readonly rules: readonly string[];
}

/** A rule that is not part of the policy, because it is not valid. */
export interface InvalidRule<Source extends RuleSource> {
  readonly source: Source;
  readonly text: string;
  readonly problem: string;
}

/** Parses the rules of all sources. What to do about an invalid one depends on its source, so the caller decides. */
export function parsePolicy<Source extends RuleSource>(
  sources: readonly Source[],
  mode: PermissionMode,
): { readonly policy: PermissionPolicy; readonly invalid: readonly InvalidRule<Source>[] } {
  const invalid: InvalidRule<Source>[] = [];
  const parsed = (list: RuleSource["list"]): readonly PolicyRule[] =>
    sources
      .filter((source) => source.list === list)
      .flatMap((source) =>
        source.rules.flatMap((text) => {
          const rule = parsePermissionRule(text);
          if ("rule" in rule) return [{ ...rule.rule, source: source.source }];
          invalid.push({ source, text, problem: rule.problem });
          return [];
        }),
      );
  return {
    policy: { allow: parsed("allow"), ask: parsed("ask"), deny: parsed("deny"), mode },
    invalid,
  };
}
