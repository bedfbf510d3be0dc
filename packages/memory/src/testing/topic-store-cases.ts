import { checkArguments } from "../check-arguments.ts";
import { EDIT_CASES } from "./edit-cases.ts";
import { FIELD_CASES } from "./field-cases.ts";
import { INDEX_CASES } from "./index-cases.ts";
import { NAME_CASES } from "./name-cases.ts";
import { HISTORY_CASES } from "./history-cases.ts";
import { RACE_CASES } from "./race-cases.ts";
import type { CreateStore, ReopenStore } from "./topic-fixtures.ts";
import { WRITE_CASES } from "./write-cases.ts";

/** One case of the contract, for any test runner: `it(name, run)`. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface StoreCasesOptions {
  /** Opens another store on the same data, for races between processes. Without it, races run on one store. */
  readonly reopen?: ReopenStore | undefined;
}

/**
 * The contract that every TopicStore fulfills, races included.
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
export function topicStoreCases(
  createStore: CreateStore,
  { reopen = async (store) => store }: StoreCasesOptions = {},
): readonly ContractCase[] {
  checkArguments("topicStoreCases", { createStore }, { createStore: "function" });
  const cases = {
    ...WRITE_CASES,
    ...EDIT_CASES,
    ...FIELD_CASES,
    ...NAME_CASES,
    ...INDEX_CASES,
    ...HISTORY_CASES,
    ...RACE_CASES,
  };
  return Object.entries(cases).map(([name, runCase]) => ({
    name,
    run: () => runCase(createStore, reopen),
  }));
}
