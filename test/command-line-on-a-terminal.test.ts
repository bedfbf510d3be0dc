import { join } from "node:path";
import { expect, it } from "vitest";
import { KEY, type Pty, startPty } from "./support/pty.ts";
import { type Household, household, householdWithModel } from "./support/run-caliban.ts";

function onTerminal({ home }: Pick<Household, "home">, ...args: readonly string[]): Pty {
  return startPty({ home, cwd: join(home, "app"), args });
}

it("shows the screen with the message that stands in quotes", async () => {
  const own = await householdWithModel([{ text: "With pnpm ship." }]);
  const pty = onTerminal(own, "how do we deploy?");
  await pty.waitFor("With pnpm ship.");
  expect(await pty.screen()).toContain("how do we deploy?");
  pty.type(KEY.ctrlD);
  expect(await pty.exit).toMatchObject({ exitCode: 0 });
});

it("lets the person choose with -r what to go on with", async () => {
  const own = await householdWithModel([{ text: "Hello." }]);
  await own.run(["-p", "about the release"]);
  const pty = onTerminal(own, "-r");
  await pty.waitFor("about the release");
  pty.type(KEY.enter);
  expect(await pty.waitFor("Hello.")).toContain("about the release");
});

it("answers with -p in the lines below, harmless, and does not wait for the keyboard", async () => {
  const own = await householdWithModel([{ text: "\u001B]0;owned\u0007ok" }]);
  const pty = onTerminal(own, "-p", "hi");
  expect(await pty.exit).toMatchObject({ exitCode: 0 });
  expect(await pty.screen()).toBe("\\u{1b}]0;owned\\u{7}ok");
  expect(pty.written()).not.toContain("\u001B]0;");
});

it.for([
  ["a text", ["-p"], "-p requires a prompt"],
  ["a command that there is", ["memry"], "Did you mean 'memory'?"],
] as const)("misses %s at once", async ([, args, sentence]) => {
  const pty = onTerminal(await household(), ...args);
  expect(await pty.exit).toMatchObject({ exitCode: 2 });
  expect(await pty.screen()).toContain(sentence);
});
