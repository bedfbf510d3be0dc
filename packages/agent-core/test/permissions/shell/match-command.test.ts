import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesDeniedCommand } from "../../../src/permissions/shell/match-command.ts";

const OPENINGS = ["sudo ", "{", "git -c 'a"];

// The parts by which launchers and spellings are recognized.
const PIECES: readonly string[] = [
  ["sudo ", "a=1 ", "rm ", ";", "/", ">", "1", '"', "a=", "sudo a/", "a", " ", "\n"],
  ["$x ", "${x}", "${x:-", "${", "$(", "$[", "`", "{a,b} ", "{a,", "{", "a,}", "{a..b}", "a.."],
  ["git -c a ", 'git -c "', "git ", "git -", "-c ", "-", "- ", "-S=/", "docker run ", "run "],
  ["x/a? ", "a?", "/*", "[", "[a] ", "x/?[a]*b*c*d* ", "*"],
].flat();

describe("matchesDeniedCommand", () => {
  const before = fc.constantFrom(
    "sudo ",
    "sudo -u root -- ",
    "A=1 ",
    "A='x y' ",
    "env -i B=2 ",
    "command ",
    "nohup ",
    "time -p ",
    "timeout --signal 9 5 ",
    "ls | xargs -n 1 ",
    "find . -exec ",
    "bash -c '",
    '/bin/sh -c "',
    "ls; ",
    "if a; then ",
    "! ",
    "2>/dev/null ",
    "(",
    "pkexec ",
    "taskset -c 0 ",
    "systemd-run --user ",
    "toybox ",
    "npx -y ",
    "pnpm -r exec ",
    "yarn ",
    "docker run --rm -it image ",
    "docker compose exec web ",
    "ssh host ",
    "trap '",
    'env -S"',
    "env -iS'",
    "env --split-string='",
  );
  const spelling = fc.constantFrom(
    "rm x",
    "rm  x",
    "/bin/rm x",
    "../rm x",
    'r""m x',
    "r\\m x",
    '"rm" x',
    "r\\\nm x",
    "rm \\\n x",
    "rm\tx",
    "rm>y x",
    "{rm,x}",
    "{rm,-rf,x}",
    "{,rm} x",
    "{{rm,y},x}",
    "r{m,} x",
    "{r..r}m x",
    "rm$@ x",
    "r$@m x",
    "r${z}m x",
    "r${z}${y}m x",
    "r${z:+x}m x",
    'r"$z"m x',
    "r$(true)m x",
    "r``m x",
    "${z:-rm} x",
    "${z:-${y-rm}} x",
    "rm${IFS:0:1}x",
    "/bin/r? x",
    "/bin/r* x",
    "/b?n/?m x",
    "/bin/[r]m x",
    "/bin/[!a][a-z] x",
  );

  it("finds a command behind any launcher and in any spelling", () => {
    const hidden = fc.tuple(fc.array(before, { maxLength: 3 }), spelling);
    fc.assert(
      fc.property(hidden, ([words, command]) => {
        expect(matchesDeniedCommand("rm *", `${words.join("")}${command}`)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  // Quadratic work would take minutes for commands of this length.
  it("finishes for very long repetitive commands", { timeout: 60_000 }, () => {
    const piece = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(fc.constantFrom(...OPENINGS), piece, (opening, repeated) => {
        const command = `${opening}${repeated.repeat(128_000 / repeated.length)}`;
        expect(matchesDeniedCommand("rm *no*such", command)).toBe(false);
      }),
      { numRuns: process.env["FULL"] === "1" ? 1_000 : 30 },
    );
  });
});

describe("a deny rule for a git subcommand", () => {
  it.for([
    "git push origin",
    "git --no-pager push origin",
    "git -C dir push origin",
    "git -C 'a dir' push",
    "git -c a=b push",
    'git -c "a=b c" -p --git-dir=x push',
    "git --git-dir x --work-tree 'y z' push",
    "/usr/bin/git -C dir push",
    'g""it -C dir push',
    "cd x && git -C y push",
    "sudo git -C y push",
    "git {push,origin}",
    "git -C dir $z push",
    "git >x -C dir push",
  ])("matches the deny pattern git push* against %j", (command) => {
    expect(matchesDeniedCommand("git push*", command)).toBe(true);
  });

  it.for([
    "git status",
    "git -C push status",
    "git -c push=1 log",
    "git log --grep push",
    "agit push",
  ])("does not match the deny pattern git push* against %j", (command) => {
    expect(matchesDeniedCommand("git push*", command)).toBe(false);
  });

  it("matches a deny pattern that names git options", () => {
    expect(matchesDeniedCommand("git -C*", "git -C dir status")).toBe(true);
  });
});

describe("a deny rule for rm", () => {
  it.for([
    "docker ps",
    "docker rm x",
    "pnpm test",
    "npm run build",
    "ls *",
    "ls r?",
    "for f in *; do echo $f; done",
    "for f in /tmp/*; do echo $f; done",
    "find . -name '*.ts'",
    "find . -name 'r*'",
    "xargs grep -rn '[a-z]*'",
    "[ -f rm ]",
    "[[ -f rm ]]",
    "/bin/l? x",
    "/bin/[r]mdir x",
    "echo {rm,x}",
    "git commit -m 'rm x'",
    "gcc -form x",
    "trap - EXIT",
  ])("does not match the deny pattern rm * against %j", (command) => {
    expect(matchesDeniedCommand("rm *", command)).toBe(false);
  });

  it.for([
    ["rm", "/bin/r?", true],
    ["rm", "/bin/r? x", false],
    ["rm*", "/bin/r? x", true],
    ["r*f x", "/bin/[r]mf -f x", true],
    ["rm -rf*", "/bin/r? -rf x", true],
    ["rm -rf*", "/bin/r? -f x", false],
    ["rm *", `/bin/${"[ab]".repeat(300)} x`, true],
  ] as const)("matches the deny pattern %j against %j: %s", ([pattern, command, expected]) => {
    expect(matchesDeniedCommand(pattern, command)).toBe(expected);
  });
});
