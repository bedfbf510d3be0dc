export { HTTP_TIMEOUTS, listen, portOf } from "./listen.ts";
export { type JsonBody, readJsonBody } from "./read-json-body.ts";
