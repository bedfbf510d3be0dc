import type { HookEvent } from "@caliban/settings";

/** A program with everything that decides what it does. */
export interface HookProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** A hook that may run. */
export interface Hook {
  readonly name: string;
  readonly event: HookEvent;
  /** The tools it runs for; all of them by default. */
  readonly matcher: string | undefined;
  readonly timeoutSeconds: number;
  /** Whether it comes with the repository, so that it runs confined and can only deny or ask. */
  readonly isRequested: boolean;
  /** How to start it now, or why it must not be started. */
  readonly prepare: () => Promise<HookProgram | { readonly reason: string }>;
}

/** Whether a hook is about a tool. In a matcher, `|` separates names and `*` matches any characters. */
export function matchesTool(matcher: string | undefined, tool: string): boolean {
  if (matcher === undefined) return true;
  return matcher.split("|").some((pattern) => matchesName(pattern.split("*"), tool));
}

/** Without a regular expression, which many stars would make slow. */
function matchesName([first = "", ...others]: readonly string[], name: string): boolean {
  if (others.length === 0) return name === first;
  if (!name.startsWith(first)) return false;
  const last = others.at(-1) ?? "";
  let at = first.length;
  for (const part of others.slice(0, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
