import { EDIT_CASES } from "./edit-cases.ts";
import { INDEX_CASES } from "./index-cases.ts";
import { NAME_CASES } from "./name-cases.ts";
import type { CreateStore } from "./topic-fixtures.ts";
import { WRITE_CASES } from "./write-cases.ts";

/** One promise of the interface, to be handed to any test runner: `it(name, run)`. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** What every TopicStore promises. */
export function topicStoreCases(createStore: CreateStore): readonly ContractCase[] {
  const promises = {
    ...WRITE_CASES,
    ...EDIT_CASES,
    ...NAME_CASES,
    ...INDEX_CASES,
  };
  return Object.entries(promises).map(([name, promise]) => ({
    name,
    run: () => promise(createStore),
  }));
}
