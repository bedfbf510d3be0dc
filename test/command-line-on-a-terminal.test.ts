import { join } from "node:path";
import { expect, it } from "vitest";
import { KEY, type Pty, startPty } from "./support/pty.ts";
import { type TestHome, createHome, createHomeWithModel } from "./support/run-caliban.ts";

function onTerminal({ home }: Pick<TestHome, "home">, ...args: readonly string[]): Pty {
  return startPty({ home, cwd: join(home, "app"), args });
}

it("opens the screen with a quoted message as its first prompt", async () => {
  const home = await createHomeWithModel([{ text: "With pnpm ship." }]);
  const pty = onTerminal(home, "how do we deploy?");
  await pty.waitFor("With pnpm ship.");
  expect(await pty.screen()).toContain("how do we deploy?");
  pty.type(KEY.ctrlD);
  expect(await pty.exit).toMatchObject({ exitCode: 0 });
});

it("lets the user choose a session to resume with -r", async () => {
  const home = await createHomeWithModel([{ text: "Hello." }]);
  await home.run(["-p", "about the release"]);
  const pty = onTerminal(home, "-r");
  await pty.waitFor("about the release");
  pty.type(KEY.enter);
  expect(await pty.waitFor("Hello.")).toContain("about the release");
});

it("prints an answer to -p with escaped control characters and does not wait for the keyboard", async () => {
  const home = await createHomeWithModel([{ text: "\u001B]0;owned\u0007ok" }]);
  const pty = onTerminal(home, "-p", "hi");
  expect(await pty.exit).toMatchObject({ exitCode: 0 });
  expect(await pty.screen()).toBe("\\u{1b}]0;owned\\u{7}ok");
  expect(pty.written()).not.toContain("\u001B]0;");
});

it.for([
  ["-p without a prompt", ["-p"], "-p requires a prompt"],
  ["an unknown command", ["memry"], "did you mean 'memory'?"],
] as const)("rejects %s at once", async ([, args, message]) => {
  const pty = onTerminal(await createHome(), ...args);
  expect(await pty.exit).toMatchObject({ exitCode: 2 });
  expect(await pty.screen()).toContain(message);
});

// The first is printed before the program is loaded, the others by the program.
it.for(["--help", "help memory", "memry"])(
  "colors the output of '%s' unless NO_COLOR is set",
  async (line) => {
    const { home } = await createHome();
    const input = { home, cwd: join(home, "app"), args: line.split(" ") };
    const [colored, plain] = [startPty(input), startPty({ ...input, env: { NO_COLOR: "1" } })];
    await Promise.all([colored.exit, plain.exit]);
    expect(colored.written()).toContain("\u001B[");
    expect(plain.written()).not.toContain("\u001B[");
  },
);
