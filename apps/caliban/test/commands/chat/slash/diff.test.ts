import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Machine, machine } from "../../../fake-host.ts";
import { prompt, said } from "./slash-prompt.ts";

/** A repository with one commit, as the user has it. */
async function repository(): Promise<Machine & { readonly git: (...args: string[]) => void }> {
  const here = await machine({ "app/a.txt": "one\ntwo\n" });
  const root = join(here.home, "app");
  // The machine has an empty directory there, which marks the root of a workspace.
  await rm(join(root, ".git"), { recursive: true, force: true });
  const git = (...args: readonly string[]): void => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
    execFileSync("git", ["-C", root, ...who, ...args], { env: { PATH: process.env["PATH"] } });
  };
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  const env = { HOME: here.home, PATH: process.env["PATH"] };
  return { ...here.with({ env }), git };
}

it("/diff shows changed lines and new files, escaped", async () => {
  const here = await repository();
  const { type } = await prompt(here);
  expect((await said(type("/diff"))).text).toBe("Nothing changed since the last commit.");
  await writeFile(join(here.home, "app/a.txt"), "one\n\u001B[2Jtwo\n");
  await writeFile(join(here.home, "app/new.txt"), "");
  const { kind, text } = await said(type("/diff"));
  expect(kind).toBe("text");
  expect(text).toContain("-two\n+\\u{1b}[2Jtwo\nNew files:\n  new.txt");
});

it("/diff runs no program that the repository configures", async () => {
  const here = await repository();
  const mark = join(here.home, "ran");
  const program = `sh -c 'touch ${mark}; cat'`;
  await writeFile(join(here.home, "app/.gitattributes"), "*.txt filter=evil diff=evil\n");
  for (const key of ["filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv"])
    here.git("config", key, program);
  here.git("config", "diff.external", program);
  here.git("config", "filter.evil.required", "true");
  await writeFile(join(here.home, "app/a.txt"), "one\nthree\n");
  const { type } = await prompt(here);
  expect((await said(type("/diff"))).text).toContain("-two\n+three");
  expect(existsSync(mark)).toBe(false);
});

it("/diff says that there is no repository", async () => {
  const here = await repository();
  await rm(join(here.home, "app/.git"), { recursive: true });
  const { type } = await prompt(here);
  expect(await said(type("/diff"))).toMatchObject({ kind: "error" });
});
