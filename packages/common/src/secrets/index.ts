export type { SecretFinding } from "./scan-text.ts";
export { findSecrets } from "./find-secrets.ts";
export { redactSecrets } from "./redact-secrets.ts";
