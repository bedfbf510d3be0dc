import { parsePermissionRule, type PermissionPolicy, type PolicyRule } from "@caliban/agent-core";

export interface RuleTexts {
  readonly ask?: string | readonly string[];
  readonly deny?: string | readonly string[];
}

/** A policy with the given rules. */
export function policyWith({ ask = [], deny = [] }: RuleTexts): PermissionPolicy {
  return {
    allow: [],
    ask: [ask].flat().map(parse),
    deny: [deny].flat().map(parse),
    mode: "default",
  };
}

function parse(text: string): PolicyRule {
  const parsed = parsePermissionRule(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return { ...parsed.rule, source: "test" };
}
