// Serve a topic store.
export { createMemoryServer, type MemoryServerInput } from "./serve/create-memory-server.ts";
export { createRequestQueue, type RequestQueue } from "./serve/protocol/request-queue.ts";

// Serve any other memory.
export { readableStore, readOnly, unattended } from "./serve/resources/access.ts";
export type { ChangeNotifier } from "./serve/resources/change-notifier.ts";
export type { OpenMemory } from "./serve/client-view.ts";
export { openMemory, servedTools } from "./serve/create-memory-server.ts";
export { type InstructionsInput, offText } from "./serve/instructions.ts";
export { PROTOCOL_CODE, ProtocolError } from "./serve/protocol-error.ts";
export {
  createProtocolServer,
  type ProtocolServerInput,
} from "./serve/protocol/protocol-server.ts";
export { createPathRedactor } from "./serve/redact-paths.ts";
export type { ResolvedAddress, ServedMemory, WatchMemory } from "./serve/served-memory.ts";
