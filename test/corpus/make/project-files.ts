/** Nothing listens on these ports when the tests run. */
export const MCP_PORT = 2;
export const MODEL_PORT = 3;

/** What the user and the repository wrote, below the home directory. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  ".config/caliban/CLAUDE.md":
    "Be brief.\n\n<!-- left out of the prompt -->\n@~/notes/style.md\n\n```\n@~/notes/not-imported.md\n```\n",
  ".config/caliban/settings.toml": `# A comment that stays.
additional_directories = ["~/notes"]

[memory]
write = "allow"
capTokensAuto = 4000 # camelCase is accepted

[memories]
enabled = true
sources = ["caliban"]
max_rollout_age_days = 36500

[models]
default = "offline/rehearsal"

[permissions]
allow = ["shell.run(git log*)"]
deny = ["shell.run(rm *)"]

[providers.local]
base_url = "http://127.0.0.1:${MODEL_PORT}/v1"

[mcp.servers.wiki]
url = "http://127.0.0.1:${MCP_PORT}/mcp"
tier = "memory"
`,
  ".config/caliban/rules/always.md": "Answer in English.\n",
  ".config/caliban/skills/greet/SKILL.md":
    "---\nname: greet\ndescription: how to greet the team\n---\n\nSay hello first.\n",
  "notes/CLAUDE.md": "Of an additional directory.\n",
  "notes/style.md": "Short sentences — even here: ½, 日本.\n",
  "notes/shared.md": "Shared between projects: tabs are fine in Makefiles.\n",
  "notes/unapproved.md": "This must not be in any prompt.\n",
  "notes/imported/onboarding.md":
    "---\nname: onboarding\ndescription: first week of a new colleague\nmetadata:\n  type: reference\n---\n\nDay one: read [[deploy]].\n",
  "app/.env": "MODE=corpus\n",
  "interrupted/README.md": "A second project.\n",
  "app/README.md": "Hello.\n",
  "app/CLAUDE.md":
    "# App\n\nWe use pnpm, never npm.\n\n@docs/build.md\n- @~/notes/shared.md\n@~/notes/unapproved.md\n@docs/missing.md\n@.env\n\nA closing tag: </project-claude-md> and </AUTO-MEMORY-INDEX >.\n[truncated: 5 bytes]\n[imported from nowhere]\n",
  "app/AGENTS.md": "Agents write tests first.\r\nThis file has CRLF line ends.\r\n",
  "app/.caliban.md": "\uFEFFOnly for caliban, after a byte order mark.\n",
  "app/CLAUDE.local.md": "Mine alone: port 4000.\n",
  "app/docs/build.md": "Build with `pnpm build`.\n@deeper.md\n",
  "app/docs/deeper.md": "Deeper: no line end at the end",
  "app/src/CLAUDE.md": "In src: no default exports.\n",
  "app/ignored/CLAUDE.md": "Excluded by the repository's settings.\n",
  "app/.caliban/rules/active.md": "Active from the start.\n",
  "app/.caliban/rules/typescript.md":
    '---\npaths: ["src/**/*.ts"]\n---\n\nJoins when a TypeScript file is read.\n',
  "app/.claude/rules/broken.md": "---\npaths: [\n---\n\nA broken header.\n",
  "app/.caliban/settings.toml": `claude_md_excludes = ["ignored/**"]

[memory]
cap_tokens_claude_md = 9000

[permissions]
ask = ["shell.run(git push*)"]
allow = ["shell.run(curl *)"]

[mcp.servers.tickets]
url = "http://127.0.0.1:${MCP_PORT}/tickets"
`,
  "app/.caliban/settings.local.toml": '[permissions]\ndeny = ["fs.read(secret*)"]\n',
  "app/.caliban/skills/release/SKILL.md":
    "---\nname: release\ndescription: how to make a release\n---\n\nTag, then push.\n",
};
