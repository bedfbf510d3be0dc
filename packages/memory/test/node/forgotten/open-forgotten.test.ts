import { appendFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { openForgotten } from "../../../src/node/forgotten/open-forgotten.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";

const SHIP = "We deploy with pnpm ship.";
const REWORDED = "Deployments run via `pnpm ship`";

it("forgets nothing and creates nothing without a tombstone", async () => {
  const directory = await temporaryDirectory();
  const forgotten = openForgotten(directory);
  expect(forgotten.isForgotten({ text: SHIP })).toBe(false);
  expect(forgotten.fingerprint()).toBe("");
  expect(() => statSync(join(directory, "forgotten.jsonl"))).toThrow("ENOENT");
});

it("recognizes a forgotten statement in other words, in every process, and stores none of its words", async () => {
  const directory = await temporaryDirectory();
  const other = openForgotten(directory);
  expect(other.isForgotten({ text: SHIP })).toBe(false);
  await openForgotten(directory).forget({ statements: [SHIP], slug: "deploy" });
  expect(other.isForgotten({ text: REWORDED })).toBe(true);
  expect(other.isForgotten({ text: "We deploy with npm publish" })).toBe(false);
  const path = join(directory, "forgotten.jsonl");
  expect(readFileSync(path, "utf8")).not.toMatch(/pnpm|ship/i);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("excludes turns by session and offset, by their text, and the request to forget", async () => {
  const forgotten = openForgotten(await temporaryDirectory());
  const turn = { session: "s1", byte: 42, text: "Releases go out with that ship script of ours." };
  await forgotten.forget({ statements: [SHIP], turns: [turn] });
  expect(forgotten.isForgotten({ text: "anything", session: "s1", byte: 42 })).toBe(true);
  expect(forgotten.isForgotten({ text: "anything", session: "s1", byte: 43 })).toBe(false);
  expect(forgotten.isExcluded(turn)).toBe(true);
  expect(forgotten.isExcluded({ ...turn, session: "s2" })).toBe(false);
  expect(forgotten.isExcluded({ session: "s2", text: "forget pnpm ship" })).toBe(true);
  expect(forgotten.isExcluded({ session: "s2", text: "forget the linter" })).toBe(false);
});

it("strips forgotten statements from Markdown, with headings that are empty afterwards", async () => {
  const forgotten = openForgotten(await temporaryDirectory());
  await forgotten.forget({ statements: [SHIP] });
  const text = [
    "# Memory",
    "",
    "## Deploying",
    "",
    "- we deploy with pnpm ship (session s1, 2026-11-18)",
    "",
    "## Tests",
    "",
    "- Use vitest. Deploy with `pnpm ship`. Keep tests short. (session s1, 2026-11-18)",
    "",
  ].join("\n");
  expect(forgotten.strip(text)).toEqual({
    removed: 2,
    text: "# Memory\n\n## Tests\n\n- Use vitest. Keep tests short. (session s1, 2026-11-18)\n",
  });
});

it("reports damaged lines, ignores them and keeps them", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "forgotten.jsonl");
  const forgotten = openForgotten(directory);
  await forgotten.forget({ statements: [SHIP] });
  appendFileSync(path, '{"id":"half\n');
  expect(forgotten.problems()).toEqual(["forgotten.jsonl: line 2 is damaged and is ignored."]);
  await forgotten.forget({ statements: ["Use tabs."] });
  expect(forgotten.isForgotten({ text: SHIP })).toBe(true);
  expect(forgotten.isForgotten({ text: "We use tabs" })).toBe(true);
  expect(readFileSync(path, "utf8")).toContain('{"id":"half\n');
});

it("never overwrites a file that it cannot read", async () => {
  const directory = await temporaryDirectory();
  mkdirSync(join(directory, "forgotten.jsonl"));
  const forgotten = openForgotten(directory);
  await expect(forgotten.forget({ statements: [SHIP] })).rejects.toMatchObject({
    code: "UNWRITABLE",
  });
});

it("loses nothing when two processes forget at once", async () => {
  const directory = await temporaryDirectory();
  const topics = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
  await Promise.all(
    topics.map((name) =>
      openForgotten(directory).forget({ statements: [`The ${name} cluster is retired`] }),
    ),
  );
  expect(openForgotten(directory).list()).toHaveLength(topics.length);
});

it("lifts what the user says again, and not what the user asks about or takes back", async () => {
  const forgotten = openForgotten(await temporaryDirectory());
  await forgotten.forget({ statements: [SHIP, "Use tabs."] });
  for (const text of [
    "Do we deploy with pnpm ship?",
    "forget that we deploy with pnpm ship",
    "We no longer deploy with pnpm ship.",
    "I told you to forget that we deploy with pnpm ship",
  ]) {
    expect(await forgotten.liftSaid(text)).toBe(0);
  }
  expect(await forgotten.liftSaid("Hi. Remember that we deploy with pnpm ship.")).toBe(1);
  expect(forgotten.isForgotten({ text: SHIP })).toBe(false);
  expect(forgotten.isForgotten({ text: "We use tabs" })).toBe(true);
});

it("keeps any rewording of a forgotten statement out until it is lifted", async () => {
  const subject = fc.constantFrom("deploy", "release", "migrate", "benchmark");
  const tool = fc.constantFrom("pnpm ship", "make rollout", "cargo xtask", "bin/launch");
  const wording = fc.constantFrom(
    (what: string, how: string) => `We ${what} with ${how}.`,
    (what: string, how: string) => `Remember: to ${what}, run \`${how}\`!`,
    (what: string, how: string) => `The user wants to ${what} via ${how}`,
    (what: string, how: string) => `- ${how} is the command to ${what} (session abc, 2026-01-01)`,
  );
  const directory = await temporaryDirectory();
  await fc.assert(
    fc.asyncProperty(subject, tool, wording, wording, async (what, how, first, second) => {
      const forgotten = openForgotten(directory);
      const id = await forgotten.forget({ statements: [first(what, how)] });
      expect(forgotten.isForgotten({ text: second(what, how) })).toBe(true);
      expect(await forgotten.lift([id ?? ""])).toBe(1);
      expect(forgotten.isForgotten({ text: second(what, how) })).toBe(false);
      await forgotten.forget({ statements: [first(what, how)] });
      expect(await forgotten.liftSaid(second(what, how))).toBe(1);
      expect(forgotten.isForgotten({ text: first(what, how) })).toBe(false);
    }),
    { numRuns: 30 },
  );
});
