import {
  decidePermission,
  type PermissionMode,
  type SandboxAccess,
  type SandboxRequest,
} from "@caliban/agent-core";
import { isPackageManifest } from "../../src/protection/package-scripts.ts";
import {
  protectedDirectoryReason,
  protectedFileReason,
} from "../../src/protection/protected-names.ts";
import { commandNeeds } from "../../src/sandbox/command-needs.ts";
import { findDiscarding } from "../../src/sandbox/discarding-commands.ts";

/** A command, and the access that it really needs: none but to read by default. */
type CommandCall = readonly [tool: "Bash", command: string, needs?: SandboxAccess];
type EditCall = readonly [tool: "Edit", path: string];

interface OrdinarySession {
  readonly title: string;
  readonly mode: PermissionMode;
  readonly calls: readonly (CommandCall | EditCall)[];
}

/** Ten sessions as they happen every day. Reading and searching files is left out, because it never asks. */
export const ORDINARY_SESSIONS: readonly OrdinarySession[] = [
  {
    title: "understand a code base",
    mode: "default",
    calls: [
      ["Bash", "ls -la"],
      ["Bash", "git log --oneline -20"],
      ["Bash", "head -100 README.md"],
      ["Bash", "find . -name '*.ts' -not -path './node_modules/*' | wc -l"],
      ["Bash", "rg -n 'createServer' src | head -20"],
      ["Bash", "wc -l src/*.ts | sort -n | tail -5"],
      ["Bash", "git shortlog -sn | head"],
    ],
  },
  {
    title: "fix a failing test",
    mode: "default",
    calls: [
      ["Bash", "git status --short"],
      ["Bash", "npm test", "workspace"],
      ["Bash", "git log -p -3 -- src/parse.ts"],
      ["Edit", "src/parse.ts"],
      ["Bash", "npm test", "workspace"],
      ["Bash", "git diff"],
    ],
  },
  {
    title: "review a branch",
    mode: "default",
    calls: [
      ["Bash", "git fetch origin", "outside"],
      ["Bash", "git log main..HEAD --oneline"],
      ["Bash", "git diff main...HEAD --stat"],
      ["Bash", "git diff main...HEAD -- src | head -400"],
      ["Bash", "git show HEAD~2 --stat"],
      ["Bash", "npx tsc --noEmit"],
      ["Bash", "npx eslint src 2>&1 | tail -30"],
    ],
  },
  {
    title: "add a feature",
    mode: "accept-edits",
    calls: [
      ["Bash", "mkdir -p src/feature", "workspace"],
      ["Edit", "src/feature/parse.ts"],
      ["Edit", "test/feature/parse.test.ts"],
      ["Bash", "npx tsc --noEmit"],
      ["Bash", "npx vitest run test/feature", "workspace"],
      ["Edit", "src/feature/parse.ts"],
      ["Bash", "npx vitest run", "workspace"],
      ["Bash", "npx prettier --write src test", "workspace"],
      ["Bash", "git add -A && git commit -m 'feat: parse more'", "workspace"],
      ["Bash", "git status"],
    ],
  },
  {
    title: "update a dependency",
    mode: "accept-edits",
    calls: [
      ["Bash", "npm outdated", "outside"],
      ["Edit", "package.json"],
      ["Bash", "npm install", "outside"],
      ["Bash", "npm test", "workspace"],
      ["Bash", "git diff --stat"],
      ["Bash", "npm run build", "workspace"],
      ["Bash", "git commit -am 'chore: update zod'", "workspace"],
    ],
  },
  {
    title: "debug a Python program",
    mode: "default",
    calls: [
      ["Bash", "python -m pytest -q 2>&1 | tail -20"],
      ["Bash", "python -m pytest tests/test_dates.py -k parse"],
      ["Bash", "sed -n '40,90p' app/dates.py"],
      ["Edit", "app/dates.py"],
      ["Edit", "tests/test_dates.py"],
      ["Bash", "python -m pytest -q 2>&1 | tail -20"],
      ["Bash", "git diff --stat"],
    ],
  },
  {
    title: "refactor",
    mode: "accept-edits",
    calls: [
      ["Bash", "rg -l 'oldName' src test"],
      ["Bash", "git mv src/old-name.ts src/new-name.ts", "workspace"],
      ["Edit", "src/new-name.ts"],
      ["Edit", "src/index.ts"],
      ["Edit", "test/new-name.test.ts"],
      ["Bash", "npx tsc --noEmit"],
      ["Bash", "npm run lint -- --fix", "workspace"],
      ["Bash", "npm test", "workspace"],
      ["Bash", "rm -r src/legacy", "workspace"],
      ["Bash", "git status --short"],
    ],
  },
  {
    title: "write documentation",
    mode: "default",
    calls: [
      ["Bash", "ls docs"],
      ["Bash", "git log --oneline -5 -- docs"],
      ["Edit", "docs/usage.md"],
      ["Edit", "README.md"],
      ["Bash", "npx prettier --check docs README.md"],
      ["Bash", "git diff --stat"],
    ],
  },
  {
    title: "release a version",
    mode: "accept-edits",
    calls: [
      ["Bash", "git status --short"],
      ["Bash", "git log v1.4.0..HEAD --oneline"],
      ["Edit", "CHANGELOG.md"],
      ["Bash", "npm run build", "workspace"],
      ["Bash", "npm pack --dry-run"],
      ["Bash", "git commit -am 'chore: release 1.5.0'", "workspace"],
      ["Bash", "git push", "outside"],
      ["Bash", "npm publish", "outside"],
    ],
  },
  {
    title: "debug a server",
    mode: "default",
    calls: [
      ["Bash", "npm run dev > /tmp/dev.log 2>&1 &", "outside"],
      ["Bash", "curl -s localhost:3000/health", "outside"],
      ["Bash", "tail -n 50 server.log"],
      ["Bash", "rg -n 'health' src"],
      ["Edit", "src/health.ts"],
      ["Bash", "curl -s localhost:3000/health", "outside"],
      ["Bash", "git diff"],
    ],
  },
];

/** What is in place when a session is replayed. */
export interface Surroundings {
  readonly hasSandbox: boolean;
  /** Why an edit always asks. */
  readonly protectionReason: (path: string) => string | undefined;
}

/** The protected names before and after there was one list of them. */
export const PROTECTED_BEFORE = (path: string): string | undefined =>
  /(?:^|\/)(?:CLAUDE|AGENTS|GEMINI)\.md$|^\.(?:caliban|claude|git)\//.exec(path)?.[0];
export const PROTECTED_NOW = (path: string): string | undefined =>
  // These sessions change dependencies, not scripts.
  isPackageManifest(path)
    ? undefined
    : (protectedFileReason(path) ?? protectedDirectoryReason(path));

/** Counts the questions of a session, each of which the user answers with yes, once. */
export function countQuestions({ mode, calls }: OrdinarySession, given: Surroundings): number {
  const learned = new Map<string, SandboxAccess>();
  let questions = 0;
  const isAsked = (request: Parameters<typeof decidePermission>[0]): SandboxAccess | undefined => {
    const decision = decidePermission(request, { allow: [], ask: [], deny: [], mode });
    if (decision.kind === "ask") questions += 1;
    return decision.access;
  };
  for (const [tool, subject, needs = "read-only"] of calls) {
    if (tool === "Edit") {
      const protectionReason = given.protectionReason(subject);
      isAsked({ tool, permission: "fs.write", isReadOnly: false, subject, protectionReason });
      continue;
    }
    const run = (): SandboxAccess => {
      const sandbox = given.hasSandbox ? sandboxRequest(subject, learned.get(subject)) : undefined;
      const request = { tool, permission: "shell.run", isReadOnly: false, subject, sandbox };
      return isAsked(request) ?? "outside";
    };
    // A command without enough access fails, and the model repeats it.
    for (let access = run(); !isEnough(access, needs); access = run()) {
      const next = access === "read-only" && needs === "workspace" ? "workspace" : "outside";
      learned.set(subject, next);
    }
  }
  return questions;
}

function sandboxRequest(command: string, learned: SandboxAccess | undefined): SandboxRequest {
  return {
    needs: learned ?? commandNeeds(command, { hasNetwork: false }),
    discards: findDiscarding(command),
    canWrite: true,
    canLeave: true,
  };
}

function isEnough(access: SandboxAccess, needs: SandboxAccess): boolean {
  const order: readonly SandboxAccess[] = ["read-only", "workspace", "outside"];
  return order.indexOf(access) >= order.indexOf(needs);
}
