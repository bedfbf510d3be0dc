import { expect, it } from "vitest";
import type { Receipt, ReceiptEntry } from "../../src/prompt/receipt.ts";
import { renderReceipt } from "../../src/prompt/render-receipt.ts";

const entry = (values: Partial<ReceiptEntry>): ReceiptEntry => ({
  tier: "project",
  kind: "instructions",
  path: "/home/me/dev/myproject/CLAUDE.md",
  bytes: 3500,
  tokens: 880,
  status: "loaded",
  reason: "WHOLE",
  message: "Loaded in full.",
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
      message: "No such file.",
      tokens: 0,
    }),
    entry({
      status: "truncated",
      reason: "OVER_BUDGET",
      message: "Truncated to the token budget.",
    }),
    entry({
      tier: "auto",
      path: "/m/\u001B[2J\nMEMORY.md",
      status: "skipped",
      reason: "UNREADABLE",
      message: "Cannot read the file: permission denied.",
      tokens: 0,
    }),
  ],
  notices: [{ code: "VARIABLE_IGNORED", message: "XDG_DATA_HOME is not an absolute path." }],
};
const machine = { home: "/home/me", platform: "linux" } as const;

it("shows the tiers with their paths and token counts", () => {
  expect(renderReceipt({ receipt: loaded, ...machine })).toBe(`\
  global   ~/.config/caliban/CLAUDE.md (412 tokens)
  project  ~/dev/myproject/CLAUDE.md (880 tokens)
  auto     ~/.local/share/caliban/projects/home-me-dev-myproject/memory/MEMORY.md (256 tokens)
    walk   ~/dev/myproject/CLAUDE.md (880 tokens)
  1,548 of 32,000 tokens
`);
});

it("shows how many files a tier has, then each of them with imports and rules", () => {
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
  expect(renderReceipt({ receipt: { ...loaded, entries, totalTokens: 1300 }, ...machine })).toBe(`\
  project  3 files (1,300 tokens)
    walk   ~/app/CLAUDE.md (1,200 tokens)
    import ~/app/docs/a.md (300 tokens)
    walk   ~/app/src/CLAUDE.md (80 tokens)
    rule   ~/app/.caliban/rules/a.md (20 tokens)
    rules  1 more for files that match their paths
  1,300 of 32,000 tokens
`);
});

it("shows what is missing, truncated and skipped, and escapes a hostile path", () => {
  expect(renderReceipt({ receipt: troubled, ...machine })).toBe(`\
  global   ~/dev/myproject/CLAUDE.md (missing)
  project  ~/dev/myproject/CLAUDE.md (880 tokens, truncated)
  auto     /m/\\u{1b}[2J\\u{a}MEMORY.md (skipped: Cannot read the file: permission denied.)
    walk   ~/dev/myproject/CLAUDE.md (880 tokens, truncated)
  note     XDG_DATA_HOME is not an absolute path.
  1,548 of 32,000 tokens
`);
});

it("explains every file with the reason", () => {
  expect(renderReceipt({ view: "explanation", receipt: troubled, ...machine })).toBe(`\
workspace ~/dev/myproject
  missing   global   ~/dev/myproject/CLAUDE.md
            ABSENT: No such file.
  truncated project  ~/dev/myproject/CLAUDE.md (880 tokens)
            OVER_BUDGET: Truncated to the token budget.
  skipped   auto     /m/\\u{1b}[2J\\u{a}MEMORY.md
            UNREADABLE: Cannot read the file: permission denied.
  notice    VARIABLE_IGNORED: XDG_DATA_HOME is not an absolute path.
  1,548 of 32,000 tokens
`);
});

it("warns when the user's own global memory did not fit", () => {
  const cut = entry({
    tier: "global",
    status: "truncated",
    reason: "OVER_BUDGET",
    message: "Truncated to 5 tokens.",
  });
  expect(
    renderReceipt({ view: "warning", receipt: { ...loaded, entries: [cut] }, ...machine }),
  ).toBe(
    "WARNING: your global memory ~/dev/myproject/CLAUDE.md is not completely in the prompt. Truncated to 5 tokens.\n",
  );
  expect(renderReceipt({ view: "warning", receipt: troubled, ...machine })).toBe("");
});

it("prints a start line only when something did not reach the prompt completely", () => {
  expect(
    renderReceipt({ view: "problems", receipt: loaded, command: (words) => `/${words}` }),
  ).toBe("");
  expect(
    renderReceipt({ view: "problems", receipt: troubled, command: (words) => `/${words}` }),
  ).toBe("memory: 0 loaded, 1 truncated, 1 skipped, 1 notice (/memory explain)\n");
});

it("omits a tier that the user turned off from the start line", () => {
  const off = entry({ tier: "auto", status: "skipped", reason: "TURNED_OFF", tokens: 0 });
  expect(
    renderReceipt({
      view: "problems",
      receipt: { ...loaded, entries: [off] },
      command: (words) => words,
    }),
  ).toBe("");
});

it("lists the tier of servers after the others, with its state and without tokens", () => {
  const receipt: Receipt = {
    ...loaded,
    servers: [
      { name: "notes", state: "connected", memories: 1200, message: "connected" },
      { name: "wiki", state: "absent", message: "absent: skipped: it said \u001B[2J" },
    ],
  };
  expect(renderReceipt({ receipt, ...machine })).toContain(`\
memory/MEMORY.md (256 tokens)
  server   notes (connected, 1,200 memories; on demand)
  server   wiki (absent: skipped: it said \\u{1b}[2J; on demand)
    walk   ~/dev/myproject/CLAUDE.md (880 tokens)
  1,548 of 32,000 tokens
`);
  expect(renderReceipt({ view: "explanation", receipt, ...machine })).toContain(`\
  on demand server   notes
            CONNECTED: connected, 1,200 memories
  on demand server   wiki
            ABSENT: absent: skipped: it said \\u{1b}[2J
`);
  expect(renderReceipt({ view: "problems", receipt, command: (words) => words })).toBe("");
});
