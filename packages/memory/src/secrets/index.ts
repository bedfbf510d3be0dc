export { findSecrets, type SecretFinding } from "./find-secrets.ts";
