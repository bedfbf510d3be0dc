export { type ContractCase, topicStoreCases } from "./topic-store-cases.ts";
