export { isListening } from "./http/is-listening.ts";
export {
  createJsonModel,
  type JsonModel,
  type JsonModelInput,
  type JsonReply,
  type JsonRequest,
} from "./json/json-model.ts";
export { findLocalServers, type LocalServer } from "./local-servers.ts";
export { openModel, type OpenModelInput } from "./open-model.ts";
