import type { PermissionPolicy, PolicyRule } from "@caliban/agent-core";
import type { Scope } from "@caliban/memory";
import { MEMORY_INPUT_SCHEMAS } from "./schemas/memory-input-schemas.ts";
import type { MemoryToolName } from "./schemas/memory-input.ts";

/** How the tools of one memory are named, so that an agent can have several. */
export interface MemoryNames {
  /** The name under which the model knows a tool. */
  readonly tool: (name: MemoryToolName) => string;
  /** What a message for the user calls this memory. */
  readonly memory: string;
  /** Says in a description of a tool which memory it is; empty if there can be only one. */
  readonly about: string;
  /** Replaces the names of tools in a text. */
  readonly rename: (text: string) => string;
}

const ABOUT: Readonly<Record<Scope, string>> = {
  project: " This is the memory of the project.",
  user: " This is the memory of the user, for all projects.",
  team: " This is the memory of the team.",
};

/** Providers accept names of up to 64 letters, digits, underscores and hyphens. */
const VALID_PREFIX = /^[A-Za-z][\w-]{0,39}$/;
const ANY_TOOL = new RegExp(`\\b(?:${Object.keys(MEMORY_INPUT_SCHEMAS).join("|")})\\b`, "g");

export function memoryNames(prefix: string, scope: Scope): MemoryNames {
  if (prefix !== "" && !VALID_PREFIX.test(prefix)) {
    const expected = "1 to 40 letters, digits, underscores and hyphens that start with a letter";
    throw new Error(`invalid prefix ${JSON.stringify(prefix)} of memory tools; use ${expected}`);
  }
  const isOnlyOne = prefix === "" && scope === "project";
  return {
    tool: (name) => `${prefix}${name}`,
    memory: scope === "project" ? "memory" : `${scope} memory`,
    about: isOnlyOne ? "" : ABOUT[scope],
    rename: (text) =>
      prefix === "" ? text : text.replaceAll(ANY_TOOL, (name) => `${prefix}${name}`),
  };
}

/** A rule that names a tool with the prefix applies to topics like one that names the tool itself. */
export function withoutPrefix(policy: PermissionPolicy, prefix: string): PermissionPolicy {
  if (prefix === "") return policy;
  const names = new Map(
    Object.keys(MEMORY_INPUT_SCHEMAS).map((name) => [`${prefix}${name}`, name]),
  );
  const translate = (rules: readonly PolicyRule[]): readonly PolicyRule[] =>
    rules.map((rule) => ({ ...rule, name: names.get(rule.name) ?? rule.name }));
  const { allow, ask, deny } = policy;
  return { ...policy, allow: translate(allow), ask: translate(ask), deny: translate(deny) };
}
