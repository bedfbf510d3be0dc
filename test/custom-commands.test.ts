import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { messagesOf } from "./support/model-server/received-request.ts";
import { KEY, type Pty, startPty } from "./support/pty.ts";
import { createHome, createHomeWithModel } from "./support/run-caliban.ts";

const FILES = {
  "app/.claude/commands/review.md":
    "---\ndescription: Review one file\nargument-hint: [file]\nallowed-tools: Bash(*)\n---\nReview $1.\n\nStatus: !`git status`\n",
  "app/.claude/commands/broken.md": "---\nno key\n---\nx",
  ".config/caliban/commands/ship.md": "Ship it to $ARGUMENTS.",
  "app/.caliban/skills/release/SKILL.md":
    "---\ndescription: Makes a release.\n---\nRun `pnpm release`.\n",
};

async function openScreen(home: string): Promise<Pty> {
  const pty = startPty({ home, cwd: join(home, "app") });
  await pty.waitFor("Ask, or type /");
  return pty;
}

describe("custom commands", () => {
  it("completes a custom command, sends it with its arguments, and allows no tools", async () => {
    const { home, server } = await createHomeWithModel(
      [{ toolCalls: [{ name: "Bash", input: { command: "rm -r dist" } }] }, { text: "Reviewed." }],
      FILES,
    );
    const pty = await openScreen(home);
    pty.type("/rev");
    expect(await pty.waitFor("/review [file]")).toContain("(workspace) Review one file");
    pty.type(KEY.tab);
    await pty.waitFor(/^\/review $|^\/review\s*$/m);
    pty.type(`'src/a b.ts'${KEY.enter}`);
    // The header would allow the command.
    const asked = await pty.waitFor("Let the agent use Bash?");
    expect(asked).toContain("> /review 'src/a b.ts'");
    expect(asked).toContain("command from .claude/commands/review.md");
    expect(asked).toContain("ignored in .claude/commands/review.md: allowed-tools");
    expect(asked).toContain("!`git status`; the agent reads it as text");
    const [message] = server.requests.flatMap(messagesOf);
    expect(message?.text).toMatch(
      /^\/review 'src\/a b\.ts'\n\n<command-text [^\n]*>\nReview src\/a b\.ts\.\n\nStatus: !`git status`\n<\/command-text>/,
    );
    expect(message?.text).toContain("[The user ran a command");
    pty.type(KEY.escape);
    await pty.waitFor("Reviewed.");
    pty.type(KEY.ctrlD);
    await pty.exit;
    const resumed = startPty({ home, cwd: join(home, "app"), args: ["-c"] });
    await resumed.waitFor(/> \/review 'src\/a b\.ts'\n+· command from \.claude/);
  });

  it("lists custom commands in the help, and reports a broken one with its line", async () => {
    const { home } = await createHome(FILES);
    const pty = await openScreen(home);
    await pty.sendLine("/help");
    await pty.waitFor(/\/ship +Ship it to \$ARGUMENTS\. \(user\)/);
    await pty.waitFor(/\/release \[text\] +Makes a release\. \(workspace skill\)/);
    await pty.waitFor(".claude/commands/broken.md:2: The header is not");
    await pty.sendLine("/broken");
    await pty.waitFor("/broken cannot be used. .claude/commands/broken.md:2");
    await pty.sendLine("/relaese");
    const screen = await pty.waitFor("unknown command /relaese.");
    expect(screen).toContain("Did you mean /release?");
  });

  it("keeps a custom command until the end of a turn, and reads its file then", async () => {
    let answer: (text: string) => void = () => undefined;
    const first = new Promise<string>((resolve) => (answer = resolve));
    const { home, server } = await createHomeWithModel(
      async (_, number) => ({ text: number === 1 ? await first : "Shipped." }),
      FILES,
    );
    const pty = await openScreen(home);
    await pty.sendLine("hello");
    await expect.poll(() => server.requests.length).toBe(1);
    await pty.sendLine("/ship staging");
    await pty.waitFor("queued: /ship staging");
    await pty.sendLine("/shp");
    await pty.waitFor("Did you mean /ship?");
    await writeFile(join(home, ".config/caliban/commands/ship.md"), "Ship $1 slowly.");
    answer("Hello.");
    await pty.waitFor("Shipped.");
    expect(server.requests.flatMap(messagesOf).at(-1)?.text).toContain("Ship staging slowly.");
  });

  it("expands a custom command with -p, without piped input in its arguments", async () => {
    const { run, server } = await createHomeWithModel([{ text: "a" }, { text: "b" }], FILES);
    const shipped = await run(["-p", "/ship it now"], { stdin: "the log" });
    expect(shipped).toMatchObject({ exitCode: 0, stdout: "a\n" });
    expect(server.requests.flatMap(messagesOf)[0]?.text).toMatch(
      /^\/ship it now\n\n<stdin>\nthe log\n<\/stdin>\n\n<command-text [^\n]*>\nShip it to it now\.\n/,
    );
    const broken = await run(["-p", "/broken"]);
    expect(broken).toMatchObject({ exitCode: 2, stdout: "" });
    expect(broken.stderr).toContain(".claude/commands/broken.md:2");
    const unknown = await run(["-p", "/usr is full"]);
    expect(unknown).toMatchObject({ exitCode: 0, stdout: "b\n" });
    expect(unknown.stderr).toContain("no command is named /usr, so this was sent as a message");
  });
});
