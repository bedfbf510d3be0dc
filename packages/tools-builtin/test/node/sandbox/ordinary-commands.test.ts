import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSandboxHome, git, hasBubblewrap } from "../../support/sandbox-home.ts";

describe.skipIf(!hasBubblewrap)("an ordinary command in the sandbox", () => {
  it.for<readonly [command: string, expected: string]>([
    ["git status --short", "No output. Exit code 0."],
    ["git log --oneline | wc -l", "1\n\nExit code 0."],
    ["cat sub/a.ts | tr a-z A-Z", "EXPORT {};\n\nExit code 0."],
    ["$NODE -p 6*7", "42\n\nExit code 0."],
    ["npm test --silent", `${process.version}\n\nExit code 0.`],
    ["echo out; echo err >&2; exit 3", "out\nerr\n\nExit code 3."],
    ["echo a > /tmp/x; cat /tmp/x; ls $TMPDIR/x", "a\n/tmp/x\n\nExit code 0."],
    ["sleep 0.01 & wait; echo done", "done\n\nExit code 0."],
    ["echo a > /dev/stderr; echo b | tee /dev/stdout", "a\nb\nb\n\nExit code 0."],
    ["pwd | sed s,.*/,,", "app\n\nExit code 0."],
    ["head -c 4000 /dev/zero | wc -c", "4000\n\nExit code 0."],
  ])("runs %j without a question", async ([command, expected]) => {
    const { run, snapshot } = await createSandboxHome();
    const before = snapshot();
    expect((await run(command, { mode: "default" })).text).toBe(expected);
    expect(snapshot()).toBe(before);
  });

  it("gets the variables by which programs load code, and what starts the sandbox does not", async () => {
    const { run, root } = await createSandboxHome({}, (home) => ({
      env: { PATH: process.env["PATH"] ?? "", LD_LIBRARY_PATH: join(home, "app/work") },
    }));
    // Not a library: whatever loads it does not start.
    await writeFile(join(root, "work/libcap.so.2"), "evil");
    const { text } = await run("echo $LD_LIBRARY_PATH", { mode: "default" });
    expect(text).toBe(`${join(root, "work")}\n\nExit code 0.`);
  });

  it("finds its temporary files again, which no one else sees", async () => {
    const { run } = await createSandboxHome();
    await run("echo kept > /tmp/caliban-note", { mode: "default" });
    const { text } = await run("cat /tmp/caliban-note", { mode: "default" });
    expect(text).toBe("kept\n\nExit code 0.");
    expect(existsSync("/tmp/caliban-note")).toBe(false);
  });

  it("changes the workspace in accept-edits mode", async () => {
    const { run, root } = await createSandboxHome();
    const { text } = await run("mkdir work/new && echo a > work/new/b && mv work/a.txt work/c");
    expect(text).toBe("No output. Exit code 0.");
    expect(readFileSync(join(root, "work/new/b"), "utf8")).toBe("a\n");
    expect(readFileSync(join(root, "work/c"), "utf8")).toBe("a\n");
  });

  it("commits, and hooks run in the sandbox, too", async () => {
    const { run, root, home } = await createSandboxHome();
    const hook = join(root, ".git/hooks/pre-commit");
    await writeFile(hook, `#!/bin/sh\necho hook >> work/log\necho evil > "$OUT/victim"\ntrue\n`);
    await chmod(hook, 0o755);
    const { text } = await run("echo a > work/b && git add work && git commit -qm second");
    expect(text).toContain("Read-only file system");
    expect(git(home, root, "log", "--format=%s")).toBe("second\nfirst\n");
    expect(readFileSync(join(root, "work/log"), "utf8")).toBe("hook\n");
  });

  it("commits in a linked worktree, and cannot change the repository's hooks", async () => {
    const { run, home } = await createSandboxHome({}, (directory) => {
      git(directory, join(directory, "app"), "worktree", "add", "--quiet", "../linked");
      return { root: join(directory, "linked") };
    });
    const linked = join(home, "linked");
    await run("echo a > new && git add new && git commit -qm linked");
    expect(git(home, linked, "log", "--format=%s")).toBe("linked\nfirst\n");
    const attack = await run(
      "for f in hooks/x config worktrees/linked/commondir; do echo evil > ../app/.git/$f; done; echo evil > .git",
    );
    expect(attack.text.match(/Read-only file system/g)).toHaveLength(4);
  });

  it("cannot write to a Git directory that does not list the workspace as its worktree", async () => {
    const { run, root, home } = await createSandboxHome({}, (directory) => ({
      root: join(directory, "fake"),
    }));
    await mkdir(join(home, "fake"));
    await writeFile(join(home, "fake/.git"), `gitdir: ${join(root, ".git")}\n`);
    const { text } = await run(`echo evil > ../app/.git/HEAD`);
    expect(text).toContain("Read-only file system");
  });

  it("takes everything that it started with it when it ends", async () => {
    const { run, root } = await createSandboxHome();
    const loop = "while :; do date +%N > work/tick; sleep 0.01; done";
    await run(`(${loop}) >/dev/null 2>&1 & sleep 0.1; : wait`);
    const last = readFileSync(join(root, "work/tick"), "utf8");
    await pause(100);
    expect(readFileSync(join(root, "work/tick"), "utf8")).toBe(last);
  });

  it.for(["time limit", "interruption"])(
    "is stopped with all its processes at the %s",
    async (reason) => {
      const { run, root } = await createSandboxHome({ mode: "on" });
      const controller = new AbortController();
      const command = `(setsid sh -c 'while :; do date +%N > work/tick; sleep 0.01; done' &) ; sleep 60; : wait`;
      const running = run(command, {
        timeoutMs: reason === "time limit" ? 1_000 : 60_000,
        signal: controller.signal,
      });
      await expect.poll(() => existsSync(join(root, "work/tick"))).toBe(true);
      if (reason === "interruption") controller.abort();
      expect((await running).text).toContain("Everything it started was stopped.");
      const last = readFileSync(join(root, "work/tick"), "utf8");
      await pause(100);
      expect(readFileSync(join(root, "work/tick"), "utf8")).toBe(last);
    },
  );

  it("saves long output where a later command can read it", async () => {
    const { run } = await createSandboxHome();
    const { text } = await run("seq 20000", { mode: "default" });
    const file = /\S*\/outputs\/[^\s\];]+/.exec(text)?.[0] ?? "";
    expect((await run(`tail -n 1 ${file}`, { mode: "default" })).text).toBe(
      "20000\n\nExit code 0.",
    );
  });
});

describe.skipIf(!hasBubblewrap || !["x64", "arm64"].includes(process.arch))(
  "what no namespace covers",
  () => {
    it("refuses sockets to the host of a virtual machine", async () => {
      const { run } = await createSandboxHome();
      const open = (family: number): string =>
        `perl -e 'print socket(my $s, ${family}, 1, 0) ? "open" : $!'`;
      const { text } = await run(`${open(40)}; echo; ${open(1)}; echo; ${open(2)}`, {
        mode: "default",
      });
      expect(text).toBe("Address family not supported by protocol\nopen\nopen\n\nExit code 0.");
    });

    it("refuses keys of the kernel and io_uring", async () => {
      const { run } = await createSandboxHome();
      const keyctl = process.arch === "x64" ? 250 : 219;
      const command = `perl -e 'syscall($_, 0, -3, 0), print "$!\n" for (${keyctl}, 425)'`;
      const { text } = await run(command, { mode: "default" });
      expect(text).toBe("Function not implemented\nFunction not implemented\n\nExit code 0.");
    });
  },
);

describe.skipIf(!hasBubblewrap)("a command that lacks access", () => {
  it("asks for write access when it is repeated in default mode, and gets it", async () => {
    const { run, questions, root } = await createSandboxHome();
    const command = `$NODE -e 'require("fs").writeFileSync("work/new", "")'`;
    const first = await run(command, { mode: "default", answer: "once" });
    expect([first.isError, questions]).toEqual([true, []]);
    expect(first.text).toContain(
      "call Bash again with the same command: the user is asked for write access",
    );
    await run(command, { mode: "default", answer: "once" });
    expect(questions).toEqual([
      "It needs to write. It would run in the sandbox, with write access to the workspace.",
    ]);
    expect(existsSync(join(root, "work/new"))).toBe(true);
  });

  it("asks to run outside of the sandbox when it is repeated in accept-edits mode", async () => {
    const { run, questions, home } = await createSandboxHome();
    const command = `$NODE -e 'require("fs").writeFileSync(process.env.OUT + "/new", "")'`;
    const first = await run(command, { answer: "no" });
    expect(first.text).toContain("the user is asked to run it outside of the sandbox");
    expect((await run(command, { answer: "no" })).text).toContain("the user declined");
    expect(existsSync(join(home, "outside/new"))).toBe(false);
    await run(command, { answer: "once" });
    expect(questions).toHaveLength(2);
    expect(existsSync(join(home, "outside/new"))).toBe(true);
  });

  it("gets no more access where the sandbox is always on", async () => {
    const { run, questions, home } = await createSandboxHome({ mode: "on" });
    for (const mode of ["accept-edits", "yolo"] as const) {
      const { text } = await run(`touch "$OUT/new"`, { mode, answer: "once" });
      expect(text).toContain('It cannot get more access, because [sandbox] mode is "on".');
    }
    expect(questions).toEqual([]);
    expect(existsSync(join(home, "outside/new"))).toBe(false);
  });

  it("reports what it did to protected files, and keeps its version under another name", async () => {
    const { run, root, notices } = await createSandboxHome();
    const { text } = await run(
      `echo evil > sub/.envrc; echo '{"scripts":{"test":"evil"}}' > package.json`,
    );
    expect(text).toContain(
      "sub/.envrc (now sub/.envrc.blocked), package.json (now package.json.blocked)",
    );
    expect(notices).toHaveLength(2);
    expect(existsSync(join(root, "sub/.envrc"))).toBe(false);
    expect(readFileSync(join(root, "package.json"), "utf8")).toContain("node --version");
    expect(readFileSync(join(root, "package.json.blocked"), "utf8")).toContain("evil");
  });

  it.for([
    "rm -r sub",
    "git checkout -- .",
    "git reset --hard",
    "git clean -fd",
    "git stash drop",
    "git restore .",
    "cd sub && rm -rf ../work",
    "find . -name a.ts -delete",
  ])("asks in accept-edits mode, because %j can discard work", async (command) => {
    const { run, questions } = await createSandboxHome();
    expect((await run(command, { answer: "no" })).text).toContain("the user declined");
    expect(questions).toHaveLength(1);
  });
});

describe("without a sandbox", () => {
  const NO_PROGRAMS = { env: { PATH: "/nonexistent" } };

  it("asks about every command that does more than read, and reports once why", async () => {
    const { run, questions, notices } = await createSandboxHome({}, () => NO_PROGRAMS);
    for (const command of ["touch a.ts", "ls", "pnpm test"])
      await run(command, { mode: "default", answer: "no" });
    expect(questions).toHaveLength(2);
    expect(notices).toEqual([
      expect.stringMatching(/^sandbox: .*; commands are not confined, and ask first\. /),
    ]);
  });

  it("runs no command at all if the sandbox is required", async () => {
    const { run, questions, notices } = await createSandboxHome({ mode: "on" }, () => NO_PROGRAMS);
    const { text } = await run("ls", { mode: "yolo", answer: "once" });
    expect(text).toContain('[sandbox] mode = "on" lets no command run without one');
    expect([questions.length, notices.length]).toEqual([0, 1]);
  });

  it("never uses a program of the workspace as the sandbox", async () => {
    const { run, notices, root } = await createSandboxHome({}, (home) => ({
      env: { PATH: `${join(home, "app/bin")}:/nonexistent` },
    }));
    await mkdir(join(root, "bin"));
    await writeFile(join(root, "bin/bwrap"), "#!/bin/sh\n", { mode: 0o755 });
    await run("ls", { mode: "default", answer: "no" });
    expect(notices).toHaveLength(1);
  });
});
