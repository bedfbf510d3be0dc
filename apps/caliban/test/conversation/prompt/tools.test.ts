import { expect, it } from "vitest";
import { isRecord } from "@caliban/common";
import { type Machine, machine } from "../../fake-host.ts";

/** The result of MemorySearch that the offline model received. */
async function searched({ caliban }: Machine, question: string): Promise<string> {
  const { stdout } = await caliban("-p", question, "--output-format", "stream-json");
  const results = stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line))
    .filter((event) => isRecord(event) && event["type"] === "tool-result");
  return JSON.stringify(results);
}

it("finds past sessions but not the running one with the agent's search", async () => {
  const here = await machine();
  const first = await searched(here, "how many zebras are there?");
  expect(first).toContain("There is nothing to search");
  const second = await searched(here, "where do the zebras live?");
  expect(second).toContain("how many **zebras** are there?");
  expect(second).not.toContain("where do the");
  expect(second).toContain("of 1 past session.");
});
