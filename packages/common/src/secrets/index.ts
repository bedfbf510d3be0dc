export { findSecrets, type SecretFinding } from "./find-secrets.ts";
export { redactSecrets } from "./redact-secrets.ts";
