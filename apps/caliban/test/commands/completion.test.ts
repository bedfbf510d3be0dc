import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { printCompletion } from "../../src/commands/completion.ts";
import { NO_OPTIONS } from "../../src/command.ts";
import { machine } from "../fake-host.ts";

async function script(shell: string): Promise<string> {
  const { host } = await machine();
  return (await printCompletion({ ...NO_OPTIONS, host, operands: [shell] })).stdout;
}

/** What bash offers for the last word of a line. */
async function complete(...line: readonly string[]): Promise<readonly string[]> {
  const words = line.map((word) => `'${word}'`).join(" ");
  const program = `${await script("bash")}
COMP_WORDS=(caliban ${words}); COMP_CWORD=${line.length}; _caliban; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", program], { encoding: "utf8" })
    .split("\n")
    .filter((word) => word !== "");
}

describe("printCompletion", () => {
  it.skipIf(process.platform === "win32")(
    "completes commands, subcommands and options in bash",
    async () => {
      expect(await complete("mem")).toEqual(["memory"]);
      expect(await complete("memory", "re")).toEqual([
        "read",
        "rebuild-index",
        "restore",
        "rebuild",
        "retry",
      ]);
      expect(await complete("memory", "write", "--desc")).toEqual(["--description"]);
      expect(await complete("--workspace", "/w", "memory", "sh")).toEqual(["show"]);
      expect(await complete("doctor", "--mo")).toEqual(["--model"]);
      expect(await complete("memory", "--mo")).toEqual([]);
    },
  );

  it("prints what the last word can be, which no shell expands", async () => {
    const place = await machine();
    await place.caliban("memory", "write", "ports", "--text", "The API listens on 8080.");
    const lookUp = async (...words: readonly string[]): Promise<string> =>
      (await place.caliban("completion", ...words)).stdout;
    expect(await lookUp("bash", "--", "memory", "show", "")).toBe("ports\n");
    expect(await lookUp("fish", "--", "memory", "--user", "rm", "")).toBe("");
    expect(await lookUp("fish", "--", "memory", "show", "")).toBe(
      "ports\tThe API listens on 8080.\n",
    );
    // `compgen -W` would run what is in a name.
    expect(await script("bash")).not.toMatch(/compgen -W[^\n]*lookup|compgen -W "\$\(/);
  });

  it("offers every command in each shell's script", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      expect(await script(shell)).toContain(" memory write");
    }
  });

  it("rejects an unknown shell and suggests a known one", async () => {
    await expect(script("bsh")).rejects.toThrow(
      "no completion for 'bsh', only for bash, zsh, fish; did you mean 'bash'?",
    );
  });
});
