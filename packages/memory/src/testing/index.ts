export type { CreateStore } from "./topic-fixtures.ts";
export { type ContractCase, topicStoreCases } from "./topic-store-cases.ts";
