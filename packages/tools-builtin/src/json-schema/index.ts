export type { MemoryHostOptions } from "../memory/memory-host.ts";
export { type JsonSchemaTool, memoryTools } from "./json-schema-tools.ts";
export type { StrictObjectSchema } from "./strict-schema.ts";
