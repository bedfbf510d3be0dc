import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  temporaryDirectory,
  temporaryDirectoryOfFile,
} from "../../../../test/support/temporary-directory.ts";
import type { SyncResult } from "../../src/index.ts";
import { openTeam } from "../../src/node/index.ts";
import { ATTACKS, createForge, type Forge } from "../support/crafted-trees.ts";
import {
  bareRemote,
  environmentOf,
  gitIn,
  joinTeam,
  synced,
  textsOf,
  topicText,
} from "../support/team.ts";

const REF = "refs/caliban/memory";
const MINE = { deploy: topicText("deploy", "Mine.") };
// Each attack has a fetch of its own, so that `npm test` runs a sample.
const sample =
  process.env["FULL"] === "1" ? ATTACKS : ATTACKS.filter((_attack, index) => index % 4 === 0);

let root: string;
let remote: string;
let base: string;
let forge: Forge;

beforeAll(async () => {
  root = await temporaryDirectoryOfFile();
  remote = join(root, "remote.git");
  gitIn("/", ["init", "--quiet", "--bare", remote]);
  const victim = openVictim("template");
  await victim.team.init(remote);
  await victim.team.share({ slug: "deploy", text: MINE.deploy });
  await synced(victim.team);
  base = gitIn(remote, ["rev-parse", REF]);
  forge = createForge(remote, base);
});

describe("someone with push access", () => {
  it.for(sample)("cannot reach the prompt or the disk with $title", async ({ build }) => {
    setRef(build(forge));
    const home = `victim-${victims++}`;
    cpSync(join(root, "template"), join(root, home), { recursive: true });
    const victim = openVictim(home);
    const before = filesOutside(join(root, home));
    const result = await victim.team.sync();
    expect(await textsOf(victim.team)).toEqual(MINE);
    expect(isReported(result)).toBe(true);
    // Nothing that a terminal would interpret, wherever it came from.
    expect(shownTexts(result)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(filesOutside(join(root, home))).toEqual(before);
    expect(STORE_FILES).toEqual(expect.arrayContaining(readdirSync(victim.directory)));
    // What cannot be used does not prevent the user from sharing.
    if (result.kind !== "synced") return;
    await victim.team.share({ slug: "mine", text: topicText("mine", "Still works.") });
    expect((await synced(victim.team)).sent).toEqual([{ slug: "mine", action: "share" }]);
    expect(gitIn(remote, ["ls-tree", REF])).not.toMatch(/120000|160000|100755/);
    expect(gitIn(remote, ["ls-tree", "-r", "--name-only", REF])).not.toMatch(/\.git|\.\.|^-/m);
  });

  it("cannot make a clone read 100,000 files", async () => {
    const victim = await freshVictim();
    const entries = Array.from({ length: 100_000 }, (_value, index) => ({
      name: `t${String(index).padStart(6, "0")}.md`,
    }));
    setRef(forge.topics(entries));
    expect(await victim.team.sync()).toMatchObject({ kind: "unusable", code: "TOO_MANY_TOPICS" });
    setRef(forge.commit(forge.tree(entries)));
    expect(await victim.team.sync()).toMatchObject({ kind: "unusable", code: "NOT_TEAM_MEMORY" });
    expect(await textsOf(victim.team)).toEqual(MINE);
  });

  it("cannot make a clone read a huge blob", async () => {
    const victim = await freshVictim();
    const huge = { name: "x.md", text: Buffer.alloc(40_000_000, "a ") };
    setRef(forge.topics([huge]));
    expect(await synced(victim.team)).toMatchObject({
      refused: [{ path: "topics/x.md", code: "TOO_LARGE" }],
    });
  });

  it("cannot fill the disk of a clone", async () => {
    const victim = await freshVictim();
    const noise = crypto.getRandomValues(Buffer.alloc(65_536));
    const large = Buffer.concat(
      Array.from({ length: 400 }, (_value, index) =>
        Buffer.concat([
          noise.map((byte) => byte ^ (index * 7 + (byte >> 3))),
          Buffer.from([index]),
        ]),
      ),
    );
    setRef(forge.topics([{ name: "x.md", text: large }]));
    const limited = openVictim(victim.name, { maxFetchBytes: 100_000 });
    const result = await limited.team.sync();
    // A fetch may be over before its size is looked at.
    expect(["TOO_LARGE", "synced"]).toContain(
      result.kind === "unusable" ? result.code : result.kind,
    );
    expect(await textsOf(limited.team)).toEqual(MINE);
  });

  it("cannot run a program with hooks or settings of a repository on this disk", async () => {
    const own = await bareRemote();
    const canary = join(await temporaryDirectory(), "ran");
    const script = `#!/bin/sh\ntouch ${canary}\n`;
    for (const hook of [
      "pre-receive",
      "update",
      "post-receive",
      "post-update",
      "reference-transaction",
    ]) {
      writeFileSync(join(own, "hooks", hook), script, { mode: 0o755 });
    }
    for (const key of [
      "core.fsmonitor",
      "core.alternateRefsCommand",
      "uploadpack.packObjectsHook",
      "core.pager",
      "core.sshCommand",
      "diff.external",
    ]) {
      gitIn(own, ["config", key, `touch ${canary}`]);
    }
    const ann = await joinTeam(own, "ann");
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "One.") });
    await synced(ann.team);
    await ann.team.log();
    expect(readdirSync(join(canary, ".."))).toEqual([]);
  });

  it.for([
    "ext::sh -c touch% x",
    "fd::7",
    "-oProxyCommand=x",
    "ssh://-oProxyCommand=x/y",
    "https://user:pw@example.com/x",
    "http://example.com/x.git",
    "git://example.com/x",
    "ftp://x/y",
    "../relative",
    "host:",
    "a\nb",
    "",
  ])("cannot have %j as a remote", async (address) => {
    const directory = join(await temporaryDirectory(), "team");
    const team = openTeam({ directory, allowedSignersFile: join(directory, "s"), env: {} });
    await expect(team.init(address)).rejects.toMatchObject({ code: "INVALID_REMOTE" });
  });
});

const STORE_FILES = [
  "conflicts",
  "pending",
  "repository.git",
  "state-brief.json",
  "state.json",
  "synced",
];

function openVictim(name: string, limits = {}) {
  const home = join(root, name);
  const directory = join(home, "team");
  const env = environmentOf(home, "victim");
  return {
    directory,
    name,
    team: openTeam({ directory, allowedSignersFile: join(home, "signers"), env, limits }),
  };
}

/** Also to an object that git would not accept there. */
function setRef(oid: string): void {
  writeFileSync(join(remote, REF), `${oid}\n`);
}

let victims = 0;

async function freshVictim() {
  const name = `fresh-${victims++}`;
  cpSync(join(root, "template"), join(root, name), { recursive: true });
  return openVictim(name);
}

function isReported(result: SyncResult): boolean {
  if (result.kind !== "synced") return true;
  return result.refused.length > 0 || result.waiting.length > 0;
}

/** What a program shows of a result besides the texts of topics. */
function shownTexts(result: SyncResult): string {
  if (result.kind !== "synced") return "message" in result ? result.message : "";
  const refused = result.refused.map(({ path, message }) => `${path} ${message}`);
  const waiting = result.waiting.flatMap(({ slug, authors }) => [
    slug,
    ...authors.map(({ name, email }) => `${name} ${email}`),
  ]);
  return [...refused, ...waiting].join(" ");
}

/** Everything below a home but the store, with its contents. */
function filesOutside(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter(({ parentPath, name }) => !join(parentPath, name).startsWith(join(home, "team")))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path} ${readFileSync(path, "utf8")}` : path;
    })
    .toSorted();
}
