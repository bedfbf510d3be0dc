export { createLangGraphStore, type LangGraphStoreOptions } from "./langgraph-store.ts";
export type {
  LangGraphItem,
  LangGraphOperation,
  LangGraphResults,
  LangGraphSearchItem,
  LangGraphStore,
} from "./langgraph-types.ts";
