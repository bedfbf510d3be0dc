/** Import lines of a repository that lead to `~/outside/secret.md`. */
export function leavingImports(home: string): readonly string[] {
  return [
    "@../outside/secret.md",
    "@./../outside/secret.md",
    "@~/outside/secret.md",
    `@${home}/outside/secret.md`,
    `@file://${home}/outside/secret.md`,
    "@link.md",
    "@linked/secret.md",
    "@docs/../../outside/secret.md",
    "@..%2foutside/secret.md",
    "@..\\outside\\secret.md",
    "@ ../outside/secret.md",
    "@@../outside/secret.md",
    "text @../outside/secret.md text",
    "- @../outside/secret.md",
    "@a.md",
  ];
}

/** Files whose text a repository controls, and which become part of the prompt. */
export const INSTRUCTION_FILES: readonly string[] = [
  "app/CLAUDE.md",
  "app/.claude/CLAUDE.md",
  "app/.claude/rules/a.md",
  "app/.caliban/rules/a.md",
];

/** Files of the prompt that a repository can make a link to a file outside. */
export const LINKED_FILES: readonly (readonly [name: string, target: string])[] = [
  ["app/CLAUDE.md", "../outside/secret.md"],
  ["app/CLAUDE.local.md", "../outside/secret.md"],
  ["app/.claude/CLAUDE.md", "../../outside/secret.md"],
  ["app/.claude/rules", "../../outside"],
  ["app/.claude/rules/a.md", "../../../outside/secret.md"],
  ["app/.caliban/rules", "../../outside"],
  ["app/.caliban/rules/a.md", "../../../outside/secret.md"],
  ["app/.caliban/settings.toml", "../../outside/secret.md"],
];

/** Settings of a repository that would take the user's own files out of the prompt. */
export const REMOVING_SETTINGS: readonly string[] = [
  'claude_md_excludes = ["**"]',
  'claude_md_excludes = ["*"]',
  'claude_md_excludes = ["CLAUDE.local.md"]',
  'claude_md_excludes = ["/CLAUDE.local.md", "**/*.local.md"]',
  'claude_md_excludes = ["/../**", "~/**", ".config/**"]',
  "memory.cap_tokens_claude_md = 1",
  "memory.cap_tokens_auto = 1",
  "memory.cap_tokens_claude_md = 1\nmemory.cap_tokens_auto = 1",
];
