import { describe, expect, it } from "vitest";
import { successfulCommands } from "../../../src/model/rules/successful-commands.ts";
import type { TranscriptTurn } from "../../../src/transcript/transcript-turn.ts";

interface Outcome {
  readonly tool?: string;
  readonly isError?: boolean;
  readonly text?: string;
}

const run = (
  command: string,
  { tool = "Bash", isError = false, text = "ok" }: Outcome = {},
): readonly TranscriptTurn[] => [
  { kind: "call", tool, text: command },
  { kind: "result", tool, text, isError },
];

const commandsOf = (...turns: readonly (readonly TranscriptTurn[])[]): readonly string[] =>
  successfulCommands(turns.flat()).map(({ command }) => command);

describe("successfulCommands", () => {
  it.for([
    "npm test",
    "pnpm --filter web build",
    "npx vitest run a.test.ts",
    "cargo clippy --all",
    "go test ./...",
    "pytest -x tests",
    "python -m pytest",
    "make deploy",
    "./scripts/release.sh --dry-run",
    "docker compose up -d",
    "cd packages/a && npm run lint",
    "CI=1 npm test",
    "terraform plan",
    "uv run ruff check",
  ])("finds %s", (command) => {
    expect(commandsOf(run(`command: ${command}`))).toEqual([command]);
  });

  it.for([
    "ls -la",
    "cat package.json",
    "cd src",
    "git status",
    "git diff",
    "echo hi",
    "npm ls",
    "npm --version",
    "node -v",
    "grep -r make .",
    "rm -rf build",
    "cat <<EOF > make",
    `npm test ${"x".repeat(200)}`,
    "npm publish --token [secret removed: npm]",
  ])("ignores %s", (command) => {
    expect(commandsOf(run(`command: ${command}`))).toEqual([]);
  });

  it.for([
    ["command: npm test description: Run the tests timeout: 60000", "npm test"],
    ["command: bash -lc npm test workdir: /x", "npm test"],
    ["cmd: npm test yield_time_ms: 1000", "npm test"],
    ["npm test", "npm test"],
  ] as const)("reads the command from %j", ([text, command]) => {
    expect(commandsOf(run(text))).toEqual([command]);
  });

  it.for(["shell", "exec_command", "mcp__host__bash"])("reads commands of the tool %s", (tool) => {
    expect(commandsOf(run("npm test", { tool }))).toEqual(["npm test"]);
  });

  it.for<[string, Outcome]>([
    ["failed", { isError: true }],
    ["say that they failed", { text: "Exit code: 1\nboom" }],
    ["exited with a status", { text: "Process exited with code 2" }],
    ["do not exist", { text: "sh: npm: command not found" }],
    ["are of another tool", { tool: "Read" }],
  ])("ignores a command that %s", ([, outcome]) => {
    expect(commandsOf(run("npm test", outcome))).toEqual([]);
  });

  it("ignores a command without a result", () => {
    expect(commandsOf([{ kind: "call", tool: "Bash", text: "npm test" }])).toEqual([]);
    expect(
      commandsOf([
        { kind: "call", tool: "Bash", text: "npm test" },
        { kind: "result", tool: "Bash", text: "ok", omittedBefore: 3 },
      ]),
    ).toEqual([]);
  });

  it("matches commands with their results in order", () => {
    const [first, second] = ["npm test", "make lint"].map(
      (text) => ({ kind: "call", tool: "Bash", text }) as const,
    );
    const failed = { kind: "result", tool: "Bash", text: "", isError: true } as const;
    const good = { kind: "result", tool: "Bash", text: "" } as const;
    expect(
      successfulCommands([first, second, failed, good].flatMap((turn) => turn ?? [])).map(
        ({ command }) => command,
      ),
    ).toEqual(["make lint"]);
  });

  it("sorts commands that fixed a failure first, then by frequency", () => {
    expect(
      commandsOf(
        run("make build"),
        run("cargo test"),
        run("cargo test"),
        run("npm test", { isError: true }),
        run("npm test -- --run"),
      ),
    ).toEqual(["npm test -- --run", "cargo test", "make build"]);
  });
});
