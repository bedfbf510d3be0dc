import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMapTopicStore } from "@caliban/memory";
import { expect, it, onTestFinished } from "vitest";
import { childEnvironment } from "../../../../test/support/child-environment.ts";
import type { Team } from "../../src/index.ts";
import { bareRemote, type Clone, gitIn, joinTeam, synced, textsOf } from "../support/team.ts";

const REF = "refs/caliban/memory";
const PROGRAM = fileURLToPath(new URL("change-many.process.ts", import.meta.url));
const IS_FULL = process.env["FULL"] === "1";
const SIZE = IS_FULL
  ? { clones: 10, writersOfClone: 2, changes: 100, kills: 20 }
  : { clones: 3, writersOfClone: 2, changes: 16, kills: 3 };

interface Acknowledged {
  readonly clone: number;
  readonly action: string;
  readonly slug: string;
  readonly mark: string;
}

it(
  "makes all clones the same, whatever was changed and killed meanwhile",
  { timeout: 3_600_000 },
  async () => {
    const remote = await bareRemote();
    const clones: Clone[] = [];
    for (let index = 0; index < SIZE.clones; index++) {
      clones.push(await joinTeam(remote, `user-${index}`, { signingKey: false }));
    }
    const acknowledged = await changeEverywhere(clones);

    // The first round sends what is left, the second one receives it.
    for (const { team } of [...clones, ...clones]) await syncAndAccept(team);
    const states = await Promise.all(clones.map(async ({ team }) => textsOf(team)));
    for (const state of states) expect(state).toEqual(states[0]);
    for (const { team } of clones) {
      expect(await team.status()).toMatchObject({ pending: [], waiting: [], refused: [] });
    }
    expect(Object.keys(states[0] ?? {})).toEqual(namesIn(remote, "topics").toSorted());
    const indexes = await Promise.all(states.map(indexOf));
    expect(new Set(indexes).size).toBe(1);

    const history = textsInHistory(remote);
    expect(history).not.toMatch(/^(?:<{7}|={7}|>{7})/m);
    await expectNothingLost(clones, acknowledged, history);
    expectTombstones(remote);
  },
);

/** Writers in processes, of which some are killed and replaced. */
async function changeEverywhere(clones: readonly Clone[]): Promise<readonly Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  let kills = SIZE.kills;
  const write = async (clone: number, writer: string, seed: number): Promise<void> => {
    const { home } = clones[clone] ?? { home: "" };
    const args = [
      "--conditions=caliban:source",
      PROGRAM,
      home,
      writer,
      String(seed),
      String(SIZE.changes),
    ];
    const child = spawn(process.execPath, args, {
      env: childEnvironment(home),
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    // After this many acknowledged changes.
    const killAfter = kills-- > 0 ? 1 + ((seed * 7) % (SIZE.changes - 1)) : Infinity;
    const lines = await linesOf(child, killAfter);
    acknowledged.push(
      ...lines.map((line) => {
        const [action = "", slug = "", mark = ""] = line.split(" ");
        return { clone, action, slug, mark };
      }),
    );
    if (killAfter !== Infinity) await write(clone, writer, seed + 1_000);
  };
  const writers = clones.flatMap((_clone, clone) =>
    Array.from({ length: SIZE.writersOfClone }, (_value, index) => {
      const writer = clone * SIZE.writersOfClone + index;
      return write(clone, `w${writer}`, writer + 1);
    }),
  );
  await Promise.all(writers);
  return acknowledged;
}

async function linesOf(child: ChildProcess, killAfter: number): Promise<readonly string[]> {
  let [output, errors] = ["", ""];
  child.stdout?.on("data", (part: Buffer) => {
    output += part.toString();
    if (output.split("\n").length > killAfter) child.kill("SIGKILL");
  });
  child.stderr?.on("data", (part: Buffer) => {
    errors += part.toString();
  });
  const code = await new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  if (code !== 0 && killAfter === Infinity) throw new Error(`a writer failed: ${errors}`);
  return output.split("\n").slice(0, -1);
}

async function syncAndAccept(team: Team): Promise<void> {
  const { waiting } = await synced(team);
  for (const { version } of waiting) await team.accept(version);
}

/** Every acknowledged change was shared, or the clone still has the user's text. */
async function expectNothingLost(
  clones: readonly Clone[],
  acknowledged: readonly Acknowledged[],
  history: string,
): Promise<void> {
  const conflicts = await Promise.all(
    clones.map(async ({ team }) => (await team.status())?.conflicts ?? []),
  );
  const lost = acknowledged
    .filter(({ action, mark }) => action === "share" && !history.includes(`mark ${mark}.`))
    .filter(({ clone, slug, mark }) => {
      const own = (conflicts[clone] ?? []).filter((conflict) => conflict.slug === slug);
      // A later change of the same user may have removed the paragraph or the topic again.
      return !own.some(({ mine }) => mine === undefined || mine.includes(`mark ${mark}.`));
    })
    .filter(({ clone, slug, mark }) => {
      const later = acknowledged.slice(
        acknowledged.findIndex((change) => change.mark === mark) + 1,
      );
      return !later.some(
        (change) =>
          change.clone === clone &&
          change.slug === slug &&
          conflicts[clone]?.some((conflict) => conflict.slug === slug),
      );
    });
  expect(lost).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(SIZE.clones * SIZE.changes);
}

/** A topic that was removed is there again because someone shared it, or has a tombstone. */
function expectTombstones(remote: string): void {
  const args = [
    "log",
    "--format=",
    "--name-only",
    "--no-renames",
    "--diff-filter=D",
    REF,
    "--",
    "topics",
  ];
  const removed = new Set(
    gitIn(remote, args)
      .split("\n")
      .filter((path) => path !== ""),
  );
  const now = new Set([...namesIn(remote, "topics"), ...namesIn(remote, "removed")]);
  const names = [...removed].map((path) => path.slice("topics/".length, -".md".length));
  expect(names.filter((name) => !now.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(0);
}

function namesIn(remote: string, directory: string): readonly string[] {
  const paths = gitIn(remote, ["ls-tree", "-r", "--name-only", `${REF}:${directory}`]);
  return paths
    .split("\n")
    .filter((path) => path !== "")
    .map((path) => path.slice(0, -".md".length));
}

/** Every text that the ref leads to. */
function textsInHistory(remote: string): string {
  if (!existsSync(join(remote, "HEAD"))) return "";
  const objects = gitIn(remote, ["rev-list", "--objects", "--no-object-names", REF]);
  const maxBuffer = 1024 * 1024 * 1024;
  const args = ["-C", remote, "cat-file", "--batch"];
  return execFileSync("git", args, { input: objects, maxBuffer }).toString("latin1");
}

async function indexOf(topics: Readonly<Record<string, string>>): Promise<string> {
  const store = createMapTopicStore({ now: () => 0 });
  for (const name of Object.keys(topics).toSorted()) {
    const text = topics[name] ?? "";
    await store.edit({ name, text, author: { who: "person" } });
  }
  return await store.index();
}
