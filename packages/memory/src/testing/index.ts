export { topicBackendCases } from "./backend-cases.ts";
export type { CreateBackend, OpenedBackend } from "./backend/backend-fixtures.ts";
export type { CreateStore } from "./topic-fixtures.ts";
export { type ContractCase, topicStoreCases } from "./topic-store-cases.ts";
