import { describe, expect, it } from "vitest";
import { NO_OPTIONS } from "../../src/command.ts";
import { completeLine } from "../../src/commands/candidates/complete-line.ts";
import { machine, type Machine } from "../fake-host.ts";

async function names(place: Machine, line: string): Promise<readonly string[]> {
  const typed = line.split(" ");
  const partial = typed.at(-1) ?? "";
  const invocation = { ...NO_OPTIONS, host: place.host };
  const found = await completeLine({ words: typed.slice(0, -1), partial, invocation });
  return found.map(({ name }) => name);
}

async function withTopics(): Promise<Machine> {
  const place = await machine();
  await place.caliban("memory", "write", "deploy", "--text", "Deploy with pnpm ship.");
  await place.caliban("memory", "write", "old", "--text", "Gone.");
  await place.caliban("memory", "rm", "old", "--force");
  await place.caliban("memory", "write", "tabs", "--text", "I prefer tabs.", "--user");
  return place;
}

describe("completeLine", () => {
  it("lists topics, removed topics and changes of the scope that is typed", async () => {
    const place = await withTopics();
    expect(await names(place, "memory show ")).toEqual(["deploy"]);
    expect(await names(place, "memory rm --json d")).toEqual(["deploy"]);
    expect(await names(place, "memory show --user ")).toEqual(["tabs"]);
    expect(await names(place, "memory edit ")).toEqual(["global", "project", "deploy"]);
    expect(await names(place, "memory restore ")).toEqual(["old"]);
    expect(await names(place, "memory diff ")).toHaveLength(3);
    expect(await names(place, "memory mv deploy ")).toEqual([]);
  });

  it.each([
    ["settings set memory.auto ", ["true", "false"]],
    ["settings set ui.notify ", expect.arrayContaining(["off"])],
    ["settings get ", expect.arrayContaining(["memory.auto", "models.default"])],
    ["memory export --to ", ["claude", "agents-md", "json", "tar"]],
    ["memory move x --to ", ["user", "project"]],
    ["memory --json inbox ac", ["list", "show", "accept", "reject", "review"]],
    ["memory write x --", expect.arrayContaining(["--text", "--workspace"])],
    ["--model ", expect.arrayContaining(["offline/rehearsal"])],
    ["--mode ", expect.arrayContaining(["plan"])],
    ["--workspace ", []],
    ["completion ", ["bash", "zsh", "fish"]],
    ["memory sho", expect.arrayContaining(["show", "search"])],
    ["memory show one two ", []],
  ])("completes %j", async (line, expected) => {
    expect(await names(await machine(), line)).toEqual(expected);
  });
});
