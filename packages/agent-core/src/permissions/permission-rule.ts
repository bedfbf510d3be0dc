import { terminalSafeLine } from "@caliban/common";

/** One entry of an allow, ask or deny list. */
export interface PermissionRule {
  /** The rule as it was written. */
  readonly text: string;
  /** A tool name, a permission (`memory.write`), a category (`memory.*`), or `*`. */
  readonly name: string;
  /** The pattern that a call's subject must match. `undefined` matches every call. */
  readonly subject?: string | undefined;
}

/** A rule, or what is wrong with its text. */
export type ParsedPermissionRule = { readonly rule: PermissionRule } | { readonly problem: string };

const MAX_CHARACTERS = 256;

const TOOL_OR_PERMISSION = /^[\w-]+(?:\.(?:[\w-]+|\*))?$/;

/**
 * Parses a rule such as `memory.*`, `WriteMemoryTopic` or `Bash(git status*)`. Case and spaces are significant.
 *
 * @example
 * import { parsePermissionRule } from "@caliban/agent-core";
 *
 * console.log(parsePermissionRule("Bash(git status*)"));
 * // { rule: { text: "Bash(git status*)", name: "Bash", subject: "git status*" } }
 */
export function parsePermissionRule(text: string): ParsedPermissionRule {
  const problem = findTextProblem(text);
  if (problem !== undefined) return { problem };
  const open = text.indexOf("(");
  const name = open === -1 ? text : text.slice(0, open);
  if (name !== "*" && !TOOL_OR_PERMISSION.test(name)) return { problem: describeBadName(name) };
  if (open === -1) return { rule: { text, name } };
  const pattern = text.slice(open + 1, -1).replace(/\*+/g, "*");
  if (pattern === "") {
    return {
      problem: `the parentheses in "${text}" are empty; write "${name}" to match every call.`,
    };
  }
  // `Bash(*)` means `Bash`. Treating it separately would need an exception wherever patterns count.
  return { rule: { text, name, subject: pattern === "*" ? undefined : pattern } };
}

function findTextProblem(text: string): string | undefined {
  if (text === "") return "a permission rule cannot be empty.";
  if (/\p{Cc}/u.test(text)) return "a permission rule cannot contain control characters.";
  if (Array.from(text).length > MAX_CHARACTERS) {
    return `a permission rule can have at most ${MAX_CHARACTERS} characters.`;
  }
  if (hasBalancedParentheses(text)) return undefined;
  return `unbalanced parentheses in "${terminalSafeLine(text)}"; a rule with a pattern looks like Bash(git status*).`;
}

/** Accepts no parentheses, or one outer pair at the end of the text with any pairs inside it. */
function hasBalancedParentheses(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "(") depth += 1;
    if (text[index] !== ")") continue;
    depth -= 1;
    if (depth <= 0) return depth === 0 && index === text.length - 1;
  }
  return depth === 0;
}

function describeBadName(name: string): string {
  const shown = terminalSafeLine(name);
  if (name.includes("*")) {
    return `"${shown}" is not a valid name: a star replaces a whole action or everything, as in memory.* or *.`;
  }
  return `"${shown}" is neither a tool name nor a permission such as memory.write.`;
}
