import { expect, it } from "vitest";
import type { Receipt, ReceiptEntry } from "../../src/prompt/receipt.ts";
import {
  renderExplanation,
  renderGlobalWarning,
  renderStartLine,
  renderSummary,
} from "../../src/prompt/summary.ts";

const entry = (values: Partial<ReceiptEntry>): ReceiptEntry => ({
  tier: "project",
  kind: "instructions",
  path: "/home/me/dev/myproject/CLAUDE.md",
  bytes: 3500,
  tokens: 880,
  status: "loaded",
  reason: "WHOLE",
  message: "Loaded whole.",
  ...values,
});
const loaded: Receipt = {
  workspaceRoot: "/home/me/dev/myproject",
  entries: [
    entry({ tier: "global", path: "/home/me/.config/caliban/CLAUDE.md", tokens: 412 }),
    entry({}),
    entry({
      tier: "auto",
      kind: "index",
      path: "/home/me/.local/share/caliban/projects/home-me-dev-myproject/memory/MEMORY.md",
      tokens: 256,
    }),
  ],
  notices: [],
  totalTokens: 1548,
  ceilingTokens: 32_000,
};
const troubled: Receipt = {
  ...loaded,
  entries: [
    entry({
      tier: "global",
      status: "missing",
      reason: "ABSENT",
      message: "There is no such file.",
      tokens: 0,
    }),
    entry({ status: "truncated", reason: "OVER_BUDGET", message: "Cut to the token budget." }),
    entry({
      tier: "auto",
      path: "/m/\u001B[2J\nMEMORY.md",
      status: "skipped",
      reason: "UNREADABLE",
      message: "It cannot be read: permission denied.",
      tokens: 0,
    }),
  ],
  notices: [{ code: "VARIABLE_IGNORED", message: "XDG_DATA_HOME is not an absolute path." }],
};
const people = { home: "/home/me", platform: "linux" } as const;

it("shows tiers, paths and token counts as the contract has them", () => {
  expect(renderSummary({ receipt: loaded, ...people })).toBe(`\
  global   ~/.config/caliban/CLAUDE.md (412 tokens)
  project  ~/dev/myproject/CLAUDE.md (880 tokens)
  auto     ~/.local/share/caliban/projects/home-me-dev-myproject/memory/MEMORY.md (256 tokens)
    walk   ~/dev/myproject/CLAUDE.md (880 tokens)
  1,548 of 32,000 tokens
`);
});

it("shows several files of a tier as a number and then one by one, with imports and rules", () => {
  const at = (name: string): string => `/home/me/app/${name}`;
  const entries = [
    entry({ path: at("CLAUDE.md"), tokens: 1200 }),
    entry({ kind: "import", path: at("docs/a.md"), importedBy: at("CLAUDE.md"), tokens: 300 }),
    entry({ kind: "import", path: at("gone.md"), status: "missing", reason: "ABSENT", tokens: 0 }),
    entry({ path: at("AGENTS.md"), status: "missing", reason: "ABSENT", tokens: 0 }),
    entry({ path: at("src/CLAUDE.md"), tokens: 80 }),
    entry({ kind: "rule", path: at(".caliban/rules/a.md"), tokens: 20 }),
    entry({
      kind: "rule",
      path: at(".caliban/rules/b.md"),
      status: "skipped",
      reason: "NOT_ACTIVE",
      tokens: 0,
    }),
  ];
  expect(renderSummary({ receipt: { ...loaded, entries, totalTokens: 1300 }, ...people })).toBe(`\
  project  3 files (1,300 tokens)
    walk   ~/app/CLAUDE.md (1,200 tokens)
    import ~/app/docs/a.md (300 tokens)
    walk   ~/app/src/CLAUDE.md (80 tokens)
    rule   ~/app/.caliban/rules/a.md (20 tokens)
    rules  1 more for files that match their paths
  1,300 of 32,000 tokens
`);
});

it("says what is missing, cut and skipped, and keeps a hostile path harmless", () => {
  expect(renderSummary({ receipt: troubled, ...people })).toBe(`\
  global   ~/dev/myproject/CLAUDE.md (missing)
  project  ~/dev/myproject/CLAUDE.md (880 tokens, truncated)
  auto     /m/\\u{1b}[2J\\u{a}MEMORY.md (skipped: It cannot be read: permission denied.)
    walk   ~/dev/myproject/CLAUDE.md (880 tokens, truncated)
  note     XDG_DATA_HOME is not an absolute path.
  1,548 of 32,000 tokens
`);
});

it("explains every file with its reason", () => {
  expect(renderExplanation({ receipt: troubled, ...people })).toBe(`\
workspace ~/dev/myproject
  missing   global   ~/dev/myproject/CLAUDE.md
            ABSENT: There is no such file.
  truncated project  ~/dev/myproject/CLAUDE.md (880 tokens)
            OVER_BUDGET: Cut to the token budget.
  skipped   auto     /m/\\u{1b}[2J\\u{a}MEMORY.md
            UNREADABLE: It cannot be read: permission denied.
  notice    VARIABLE_IGNORED: XDG_DATA_HOME is not an absolute path.
  1,548 of 32,000 tokens
`);
});

it("is loud when the person's own rules did not fit", () => {
  const cut = entry({
    tier: "global",
    status: "truncated",
    reason: "OVER_BUDGET",
    message: "Cut to 5 tokens.",
  });
  expect(renderGlobalWarning({ receipt: { ...loaded, entries: [cut] }, ...people })).toBe(
    "WARNING: your global memory ~/dev/myproject/CLAUDE.md is not whole in the prompt. Cut to 5 tokens.\n",
  );
  expect(renderGlobalWarning({ receipt: troubled, ...people })).toBe("");
});

it("starts with one line only when something did not reach the prompt whole", () => {
  expect(renderStartLine(loaded, "/memory explain")).toBe("");
  expect(renderStartLine(troubled, "/memory explain")).toBe(
    "memory: 0 loaded, 1 truncated, 1 skipped, 1 to note (/memory explain)\n",
  );
});

it("does not complain of what a person turned off", () => {
  const off = entry({ tier: "auto", status: "skipped", reason: "TURNED_OFF", tokens: 0 });
  expect(renderStartLine({ ...loaded, entries: [off] }, "x")).toBe("");
});

it("names the tier behind servers after the others, with its state, and counts no tokens for it", () => {
  const receipt: Receipt = {
    ...loaded,
    servers: [
      { name: "notes", state: "connected", memories: 1200, message: "connected" },
      { name: "wiki", state: "absent", message: "absent: skipped: it said \u001B[2J" },
    ],
  };
  expect(renderSummary({ receipt, ...people })).toContain(`\
memory/MEMORY.md (256 tokens)
  server   notes (connected, 1,200 memories; on demand)
  server   wiki (absent: skipped: it said \\u{1b}[2J; on demand)
    walk   ~/dev/myproject/CLAUDE.md (880 tokens)
  1,548 of 32,000 tokens
`);
  expect(renderExplanation({ receipt, ...people })).toContain(`\
  on demand server   notes
            CONNECTED: connected, 1,200 memories
  on demand server   wiki
            ABSENT: absent: skipped: it said \\u{1b}[2J
`);
  expect(renderStartLine(receipt, "x")).toBe("");
});
