import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../../../test/support/temporary-directory.ts";
import { type Machine, machine } from "../../../fake-host.ts";

/** A user with a home of their own, in which git finds nothing else. */
export interface TeamMember extends Pick<Machine, "caliban" | "home"> {
  readonly git: (directory: string, ...args: readonly string[]) => string;
  /** The same user in another directory, or with other settings of the host. */
  readonly at: (directory: string) => TeamMember;
  readonly with: Machine["with"];
}

/** A bare repository that everyone can push to. */
export async function bareRepository(name = "origin"): Promise<string> {
  const path = join(await temporaryDirectory(), `${name}.git`);
  execFileSync("git", ["init", "--quiet", "--bare", path], { stdio: "ignore" });
  return path;
}

/** A user whose `~/app` is a checkout of the repository: the first one commits, the others clone. */
export async function teamMember(
  name: string,
  origin: string,
  files: Readonly<Record<string, string>> = {},
): Promise<TeamMember> {
  const start = await machine(files);
  const { home } = start;
  writeFileSync(
    join(home, ".gitconfig"),
    `[user]\n name = ${name}\n email = ${name}@example.com\n[init]\n defaultBranch = main\n`,
  );
  const { PATH = "" } = process.env;
  const env = { ...start.host.env, PATH, GIT_CONFIG_NOSYSTEM: "1" };
  const member = memberAt(start.with({ env, now: () => Date.now() }), join(home, "app"));
  const app = join(home, "app");
  // A placeholder, which git would not accept.
  rmSync(join(app, ".git"), { recursive: true });
  member.git(app, "init", "--quiet");
  member.git(app, "remote", "add", "origin", origin);
  if (member.git(app, "ls-remote", "origin", "refs/heads/main") === "") {
    member.git(app, "commit", "--quiet", "--allow-empty", "-m", "first");
    member.git(app, "push", "--quiet", "origin", "main");
  } else {
    member.git(app, "fetch", "--quiet", "origin");
    member.git(app, "checkout", "--quiet", "-b", "main", "origin/main");
  }
  return member;
}

function memberAt(machineOf: Machine, cwd: string): TeamMember {
  const here = machineOf.with({ cwd });
  const { home, host } = here;
  return {
    home,
    caliban: here.caliban,
    with: here.with,
    at: (directory) => memberAt(machineOf, directory),
    git: (directory, ...args) =>
      execFileSync("git", ["-C", directory, ...args], {
        env: { ...host.env },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      }),
  };
}

/** Signs with a key of their own. Returns its fingerprint. */
export function signWithKey({ home, git }: TeamMember): string {
  const key = join(home, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  git(home, "config", "--global", "gpg.format", "ssh");
  git(home, "config", "--global", "user.signingkey", `${key}.pub`);
  git(home, "config", "--global", "commit.gpgsign", "true");
  const shown = execFileSync("ssh-keygen", ["-l", "-f", `${key}.pub`], { encoding: "utf8" });
  return /SHA256:\S+/.exec(shown)?.[0] ?? "";
}
