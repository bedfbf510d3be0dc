import { checkArguments } from "../check-arguments.ts";
import { EDIT_CASES } from "./edit-cases.ts";
import { INDEX_CASES } from "./index-cases.ts";
import { NAME_CASES } from "./name-cases.ts";
import type { CreateStore } from "./topic-fixtures.ts";
import { WRITE_CASES } from "./write-cases.ts";

/** One case of the contract, for any test runner: `it(name, run)`. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/**
 * The contract that every TopicStore fulfills.
 *
 * @example
 * import { createMapTopicStore } from "@caliban/memory";
 * import { topicStoreCases } from "@caliban/memory/testing";
 *
 * const cases = topicStoreCases(async (files) => {
 *   let nowMs = 0;
 *   return createMapTopicStore({ files, now: () => (nowMs += 1000) });
 * });
 * for (const { run } of cases) await run();
 */
export function topicStoreCases(createStore: CreateStore): readonly ContractCase[] {
  checkArguments("topicStoreCases", { createStore }, { createStore: "function" });
  const cases = {
    ...WRITE_CASES,
    ...EDIT_CASES,
    ...NAME_CASES,
    ...INDEX_CASES,
  };
  return Object.entries(cases).map(([name, runCase]) => ({
    name,
    run: () => runCase(createStore),
  }));
}
