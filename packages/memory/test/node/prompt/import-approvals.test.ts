import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitDirectory } from "../../../../../test/support/write-files.ts";
import { loadMemory, type LoadMemoryInput } from "../../../src/node/prompt/load-memory.ts";
import { createProject, load, outcomes } from "./load-project.ts";

/** Each round is another chance to hit the race; the full run is for a machine with time. */
const ROUNDS = process.env["FULL"] === "1" ? 3000 : 500;

describe("external files", () => {
  const EXTERNAL = { "app/CLAUDE.md": "@../notes.md\n", "notes.md": "my notes\n" };

  it("visibly denies an external file that was not approved", async () => {
    const { memory, files } = await load(EXTERNAL);
    expect(files).toContain("notes.md: skipped NEEDS_APPROVAL");
    expect(memory.prefix).toContain("[@-import skipped (needs approval): ../notes.md]");
    expect(memory.prefix).not.toContain("my notes");
  });

  it("allows external files for one run with CALIBAN_APPROVE_IMPORTS, and stores nothing", async () => {
    const { memory, home } = await load(EXTERNAL, { env: { CALIBAN_APPROVE_IMPORTS: "1" } });
    expect(memory.prefix).toContain("my notes");
    expect((await readdir(home)).toSorted()).toEqual(["app", "notes.md"]);
  });

  it("remembers an approval by path and content, in one workspace", async () => {
    const input = await createProject({
      ...EXTERNAL,
      ...gitDirectory("other"),
      "other/CLAUDE.md": "@../notes.md\n",
    });
    const asked: string[] = [];
    const always: LoadMemoryInput = {
      ...input,
      askApproval: async ({ subject }) => {
        asked.push(subject);
        return "always";
      },
    };
    expect((await loadMemory(always)).prefix).toContain("my notes");
    expect(asked).toEqual([join(input.home, "notes.md")]);
    expect((await loadMemory(input)).prefix).toContain("my notes");
    const approvals = join(input.home, ".local/state/caliban/approvals.json");
    expect((await stat(approvals)).mode & 0o777).toBe(0o600);

    expect(
      (await loadMemory({ ...input, directory: join(input.home, "other") })).prefix,
    ).not.toContain("my notes");
    await writeFile(join(input.home, "notes.md"), "changed notes\n");
    expect((await loadMemory(input)).prefix).not.toContain("changed notes");
  });

  it("asks about one external file at a time, and about none twice", async () => {
    const input = await createProject({ "a.md": "a\n", "b.md": "b\n", "app/x": "" });
    for (const [name, target] of [
      ["CLAUDE.md", "a.md"],
      ["AGENTS.md", "a.md"],
      [".caliban.md", "b.md"],
    ] as const) {
      await symlink(join(input.home, target), join(input.directory, name));
    }
    let open = 0;
    const asked: string[] = [];
    await loadMemory({
      ...input,
      askApproval: async ({ subject }) => {
        expect(++open).toBe(1);
        asked.push(subject.replace(`${input.home}/`, ""));
        await new Promise((resolve) => setTimeout(resolve, 5));
        open--;
        return "once";
      },
    });
    expect(asked.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(["a.md", "b.md"]);
  });

  it("denies external files when the approvals file is damaged, and does not overwrite it", async () => {
    const approvals = ".local/state/caliban/approvals.json";
    const { memory, home } = await load({ ...EXTERNAL, [approvals]: "{ damaged" });
    expect(memory.prefix).not.toContain("my notes");
    expect(memory.receipt.notices).toEqual([
      expect.objectContaining({ code: "APPROVALS_DAMAGED" }),
    ]);
    expect(await readFile(join(home, approvals), "utf8")).toBe("{ damaged");
  });

  it("requires no approval for imports of the user's global file, but for theirs in turn", async () => {
    const { memory } = await load({
      ".config/caliban/CLAUDE.md": "@~/notes.md\n",
      "notes.md": "my notes\n@elsewhere.md\n",
      "elsewhere.md": "elsewhere\n",
    });
    expect(memory.prefix).toContain("my notes");
    expect(memory.prefix).not.toContain("elsewhere\n[end");
  });

  it.for([
    ["~/.ssh/id_rsa", ".ssh/id_rsa"],
    ["~/.aws/credentials", ".aws/credentials"],
    ["../server.pem", "server.pem"],
  ] as const)("never imports the secret @%s, whatever the settings", async ([target, name]) => {
    const files = {
      "app/CLAUDE.md": `@${target}\n`,
      ".config/caliban/CLAUDE.md": `@~/${name}\n`,
      [name]: "PRIVATE\n",
    };
    const { memory, files: found } = await load(files, {
      env: { CALIBAN_APPROVE_IMPORTS: "1" },
      askApproval: async () => "always",
    });
    expect(memory.prefix).not.toContain("PRIVATE");
    expect(found.filter((line) => line === `${name}: skipped SECRET_FILE`)).toHaveLength(2);
  });

  it.skipIf(process.platform !== "linux")(
    "never reads an external file while a directory is being replaced by a link",
    { timeout: 30_000 },
    async () => {
      const input = await createProject({
        "app/CLAUDE.md": "@d/n.md\n",
        "app/d/n.md": "inside\n",
        "out/n.md": "OUTSIDE\n",
      });
      const swapper = fork(
        join(import.meta.dirname, "swap-directory.process.ts"),
        [join(input.directory, "d"), join(input.home, "out")],
        { execArgv: ["--no-warnings"] },
      );
      await once(swapper, "message");
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const { prefix } = await loadMemory(input);
          expect(prefix).not.toContain("OUTSIDE");
        }
      } finally {
        swapper.kill("SIGKILL");
      }
    },
  );

  it.for([
    [
      "is damaged",
      { ".local/state/caliban/approvals.json": "{ damaged" },
      ["APPROVALS_DAMAGED", "APPROVAL_NOT_KEPT"],
    ],
    ["cannot be written", { ".local/state": "a file" }, ["APPROVAL_NOT_KEPT"]],
  ] as const)(
    "allows an approved file for this run when the approvals file %s, and reports it",
    async ([, more, codes]) => {
      const { memory } = await load(
        { ...EXTERNAL, ...more },
        { askApproval: async () => "always" },
      );
      expect(memory.prefix).toContain("my notes");
      expect(memory.receipt.notices.map(({ code }) => code)).toEqual(codes);
    },
  );

  it("requires approval for an instruction file that links to an external file", async () => {
    const input = await createProject({
      "outside.md": "outside\n",
      ".ssh/id_rsa": "PRIVATE\n",
      "app/x": "",
    });
    await symlink(join(input.home, "outside.md"), join(input.directory, "CLAUDE.md"));
    await symlink(join(input.home, ".ssh/id_rsa"), join(input.directory, "AGENTS.md"));
    const memory = await loadMemory(input);
    expect(outcomes(memory, input.home)).toEqual([
      "app/CLAUDE.md: skipped NEEDS_APPROVAL",
      "app/AGENTS.md: skipped SECRET_FILE",
    ]);
    expect(memory.prefix).toBe("");
  });
});
