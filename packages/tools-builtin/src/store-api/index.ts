export { createStoreApi, type StoreApi, type StoreApiInput } from "./store-api.ts";
export type { ServedStore } from "./served-store.ts";
export { type ApiAnswer, type ApiErrorType, errorAnswer } from "./request/api-answer.ts";
export type { ApiClient, ApiRequest } from "./request/api-request.ts";
