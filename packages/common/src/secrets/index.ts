export type { SecretFinding } from "./find-by-pattern.ts";
export { findSecrets } from "./find-secrets.ts";
export { redactSecrets } from "./redact-secrets.ts";
