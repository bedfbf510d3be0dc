import { terminalSafeLine } from "@caliban/common";

/** One line of an allow, ask or deny list that can be matched with calls. */
export interface PermissionRule {
  /** As it was written. */
  readonly text: string;
  /** A tool's name, a permission (`memory.write`), a category (`memory.*`), or `*`. */
  readonly name: string;
  /** What the subject of a call must look like; `undefined` when every call is meant. */
  readonly subject?: string | undefined;
}

/** A rule, or a sentence on what is wrong with its text. */
export type ParsedPermissionRule = { readonly rule: PermissionRule } | { readonly problem: string };

const MOST_CHARACTERS = 256;

const TOOL_OR_PERMISSION = /^[\w-]+(?:\.(?:[\w-]+|\*))?$/;

/** Reads a text such as `memory.*`, `WriteMemoryTopic` or `Bash(git status*)`; case counts, and blanks are not dropped. */
export function parsePermissionRule(text: string): ParsedPermissionRule {
  const problem = textProblem(text);
  if (problem !== undefined) return { problem };
  const open = text.indexOf("(");
  const name = open === -1 ? text : text.slice(0, open);
  if (name !== "*" && !TOOL_OR_PERMISSION.test(name)) return { problem: nameProblem(name) };
  if (open === -1) return { rule: { text, name } };
  const pattern = text.slice(open + 1, -1).replace(/\*+/g, "*");
  if (pattern === "") {
    return {
      problem: `nothing stands in the parentheses of ${text}; write ${name} for every call.`,
    };
  }
  // `Bash(*)` is `Bash`: kept apart, it would have to be an exception wherever patterns count.
  return { rule: { text, name, subject: pattern === "*" ? undefined : pattern } };
}

function textProblem(text: string): string | undefined {
  if (text === "") return "a permission rule cannot be empty.";
  if (/\p{Cc}/u.test(text)) return "a permission rule cannot hold control characters.";
  if (Array.from(text).length > MOST_CHARACTERS) {
    return `a permission rule has at most ${MOST_CHARACTERS} characters.`;
  }
  if (hasBalancedEnd(text)) return undefined;
  return `the parentheses of ${terminalSafeLine(text)} do not match; a rule with a pattern looks like Bash(git status*).`;
}

/** Without parentheses, or with one pair that ends the text and whatever pairs are inside it. */
function hasBalancedEnd(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "(") depth += 1;
    if (text[index] !== ")") continue;
    depth -= 1;
    if (depth <= 0) return depth === 0 && index === text.length - 1;
  }
  return depth === 0;
}

function nameProblem(name: string): string {
  const shown = terminalSafeLine(name);
  if (name.includes("*")) {
    return `a star stands for a whole action or for everything, as in memory.* or *, which ${shown} is not.`;
  }
  return `"${shown}" is neither a tool's name nor a permission like memory.write.`;
}
