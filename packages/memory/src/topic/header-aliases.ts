import { type Alias, isAlias, type Node, visit, type YAMLMap } from "yaml";

/** What every alias of a header stands for. */
export type AliasTargets = ReadonlyMap<Alias, Node>;

export function aliasTargets(header: YAMLMap): AliasTargets {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(header, {
    Node: (_key, node) => {
      const target = isAlias(node) ? anchored.get(node.source) : undefined;
      if (isAlias(node) && target !== undefined) targets.set(node, target);
      if (!isAlias(node) && node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

/** Lets the aliases keep what they stood for: where the anchor is gone, the first of them takes it over. */
export function restoreAliases(header: YAMLMap, targets: AliasTargets): void {
  const present = new Set<Node>();
  visit(header, {
    Node: (_key, node) => {
      const target = isAlias(node) ? targets.get(node) : undefined;
      const isGone = target !== undefined && !present.has(target);
      if (!isGone) {
        present.add(node);
        return undefined;
      }
      target.comment = node.comment ?? null;
      return target;
    },
  });
}
