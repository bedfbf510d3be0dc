import { describe, expect, it } from "vitest";
import { machine, type Machine } from "../../fake-host.ts";

async function withTopics(): Promise<Machine> {
  const place = await machine();
  for (const name of ["deploy-checklist", "deploy-keys", "ports"])
    await place.caliban("memory", "write", name, "--text", `About ${name}.`);
  return place.with({ isInteractive: () => true, confirm: async () => true });
}

describe("a part of the name of a topic", () => {
  it.each([
    [["show", "check"], "deploy-checklist (project)"],
    [["path", "port"], "ports.md"],
    [["log", "PORT"], "ports"],
    [["mv", "keys", "secrets"], "renamed deploy-keys to secrets"],
    [["rm", "port"], "removed ports."],
  ])(
    "finds the topic of %j by a part of its name that no other one has",
    async (words, expected) => {
      const place = await withTopics();
      const { stdout, exitCode } = await place.caliban("memory", ...words);
      expect(stdout).toContain(expected);
      expect(exitCode).toBe(0);
    },
  );

  it("lists the topics when several have a part, and suggests one for a typo", async () => {
    const place = await withTopics();
    expect((await place.caliban("memory", "show", "deploy")).stderr).toContain(
      'several topics match "deploy": deploy-checklist, deploy-keys; type more of the name',
    );
    expect((await place.caliban("memory", "show", "prots")).stderr).toContain(
      "Did you mean ports?",
    );
  });

  it("requires the whole name where nothing shows which topic is meant", async () => {
    const place = await withTopics();
    for (const flags of [["--force"], ["--purge", "--force"], ["--json", "--force"]])
      expect((await place.caliban("memory", "rm", "port", ...flags)).exitCode).not.toBe(0);
    expect((await place.caliban("memory", "show", "port", "--json")).exitCode).not.toBe(0);
    expect((await place.caliban("memory", "show", "ports")).exitCode).toBe(0);
  });

  it("finds a change by any part of its id", async () => {
    const place = await withTopics();
    const { stdout } = await place.caliban("memory", "log", "--json");
    const { changes } = JSON.parse(stdout);
    const id: string = changes[0].id;
    const shown = await place.caliban("memory", "diff", id.slice(-6));
    expect(shown.stdout).toContain("ports.md");
    expect((await place.caliban("memory", "undo", id.slice(-6))).stdout).toContain(id);
  });
});
