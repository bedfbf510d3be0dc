// Serve a topic store.
export { createMemoryServer, type MemoryServerInput } from "./serve/create-memory-server.ts";
export { createRequestQueue, type RequestQueue } from "./serve/protocol/request-queue.ts";

// Serve any other memory.
export type { ChangeNotifier } from "./serve/resources/change-notifier.ts";
export type { OpenMemory } from "./serve/client-view.ts";
export type { InstructionsInput } from "./serve/instructions.ts";
export { openMemory, type OpenMemoryInput } from "./serve/open-memory.ts";
export { PROTOCOL_CODE, ProtocolError } from "./serve/protocol-error.ts";
export {
  createProtocolServer,
  type MemoryServer,
  type ProtocolServerInput,
} from "./serve/protocol/protocol-server.ts";
export { isServable, type ServedSkill } from "./serve/skills/served-skill.ts";
export { describeMemory, type ServedMemory, type WatchMemory } from "./serve/served-memory.ts";
