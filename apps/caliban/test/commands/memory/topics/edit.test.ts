import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Machine, machine } from "../../../fake-host.ts";
import { MEMORY, typing, withTopics, write } from "./project-with-topics.ts";

describe("caliban memory edit", () => {
  const editing = (start: Machine, change: (text: string) => string, code = 0): Machine =>
    start.with({
      isInteractive: () => true,
      env: { HOME: start.home, EDITOR: "ed" },
      openEditor: async (_command, path) => {
        const before = await readFile(path, "utf8").catch(() => "");
        await writeFile(path, change(before));
        return code;
      },
    });

  it("saves an edit and updates the index line", async () => {
    const start = editing(await withTopics(), (text) =>
      text.replace("run migrations first", "run them last"),
    );
    expect((await start.caliban("memory", "edit", "deploy")).stdout).toBe("saved deploy\n");
    expect((await start.caliban("prompt")).stdout).toContain(
      "- [deploy](deploy.md) — project: run them last",
    );
    expect((await start.caliban("memory", "log")).stdout).toContain("edit");
    // Editing a topic counts as verifying it.
    expect((await start.caliban("memory", "list")).stdout).toMatch(/deploy +project +today/);
  });

  it("keeps an invalid edit and continues it the next time", async () => {
    const start = await withTopics();
    const broken = await editing(start, (text) =>
      text.replace('description: "run', 'description: ["run'),
    ).caliban("memory", "edit", "deploy");
    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).toContain("deploy.md: line 4: ");
    expect(broken.stderr).toContain(
      "Your edit is kept in ~/.local/share/caliban/projects/SLUG/drafts/deploy.",
    );
    expect((await start.caliban("memory", "show", "deploy")).stdout).toContain(
      "run migrations first",
    );
    const fixed = await editing(start, (text) => {
      expect(text).toContain('description: ["run');
      return text.replace('description: ["run', 'description: "I run');
    }).caliban("memory", "edit", "deploy");
    expect(fixed.stderr).toContain("continuing the unsaved edit");
    expect(fixed.stdout).toBe("saved deploy\n");
    expect((await start.caliban("memory", "show", "deploy")).stdout).toContain(
      "I run migrations first",
    );
  });

  it("never replaces a newer text with an old draft", async () => {
    const start = await withTopics();
    await editing(start, (text) => text.replace('description: "run', 'description: ["run')).caliban(
      "memory",
      "edit",
      "deploy",
    );
    await typing(start, "A newer text.").caliban(...write("deploy", "--replace"));
    const { stderr, stdout } = await editing(start, (text) =>
      text.replace("newer", "NEWER"),
    ).caliban("memory", "edit", "deploy");
    expect(stderr).toContain("an unsaved edit of an older version of deploy is in");
    expect(stdout).toBe("saved deploy\n");
    expect((await start.caliban("memory", "show", "deploy")).stdout).toContain("A NEWER text.");
  });

  it("rejects and keeps an edit of a topic that changed in the meantime", async () => {
    const start = await withTopics();
    const racing = start.with({
      isInteractive: () => true,
      env: { HOME: start.home, EDITOR: "ed" },
      openEditor: async (_command, path) => {
        await typing(start, "Theirs.").caliban(...write("deploy", "--replace"));
        await appendFile(path, "Mine.\n");
        return 0;
      },
    });
    const { exitCode, stderr } = await racing.caliban("memory", "edit", "deploy");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("deploy was changed while you were editing it. Your edit is kept in");
    expect((await start.caliban("memory", "show", "deploy")).stdout).toContain("Theirs.");
  });

  it("removes the draft when nothing was edited", async () => {
    const start = editing(await withTopics(), (text) => text, 1);
    expect(await start.caliban("memory", "edit", "deploy")).toMatchObject({
      exitCode: 1,
      stderr: "caliban: ed failed with exit code 1; nothing was saved\n",
    });
    const home = join(start.home, MEMORY.replace("SLUG", start.slug), "..");
    expect(await readdir(join(home, "drafts"))).toEqual([]);
  });

  it("opens instruction files directly", async () => {
    const start = editing(await machine({ "app/AGENTS.md": "Old.\n" }), () => "New.\n");
    expect((await start.caliban("memory", "edit", "project")).stdout).toBe(
      "edited ~/app/AGENTS.md\n",
    );
    expect(await readFile(join(start.home, "app/AGENTS.md"), "utf8")).toBe("New.\n");
    expect((await start.caliban("memory", "edit", "global")).stdout).toBe(
      "edited ~/.config/caliban/CLAUDE.md\n",
    );
  });

  it("names an instruction file when there is no terminal, and does not create its directory", async () => {
    const start = await machine();
    expect(await start.caliban("memory", "edit", "project")).toMatchObject({
      exitCode: 2,
      stderr: "caliban: edit requires a terminal; in scripts, write to ~/app/CLAUDE.md directly\n",
    });
    expect((await start.caliban("memory", "edit", "global")).stderr).toContain(
      "in scripts, write to ~/.config/caliban/CLAUDE.md directly",
    );
    expect(await readdir(start.home)).toEqual(["app"]);
  });

  it("promises nothing about an instruction file when the editor fails", async () => {
    const start = editing(await machine(), () => "New.\n", 1);
    expect(await start.caliban("memory", "edit", "project")).toMatchObject({
      exitCode: 1,
      stderr: "caliban: ed failed with exit code 1\n",
    });
  });

  it("changes nothing when the editor fails or none is set", async () => {
    const start = await withTopics();
    const failed = await editing(start, (text) => `${text}x`, 1).caliban(
      "memory",
      "edit",
      "deploy",
    );
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toContain(
      "ed failed with exit code 1; nothing was saved. Your edit is kept in ~/.local/share/caliban/projects/SLUG/drafts/deploy.",
    );
    expect((await start.caliban("memory", "show", "deploy")).stdout).not.toContain("x\n");
    const headless = await start.caliban("memory", "edit", "deploy");
    expect(headless.exitCode).toBe(2);
    expect(headless.stderr).toContain("edit requires a terminal; in scripts, use: ");
  });

  it("tries vi and nano when neither VISUAL nor EDITOR is set", async () => {
    const editors: string[] = [];
    const start = (await withTopics()).with({
      isInteractive: () => true,
      openEditor: async (command) => {
        editors.push(command);
        return 127;
      },
    });
    const { exitCode, stderr } = await start.caliban("memory", "edit", "deploy");
    expect(exitCode).toBe(1);
    expect(editors).toEqual(["vi", "nano"]);
    expect(stderr).toContain("no editor found (tried: vi, nano). Set EDITOR");
  });
});
