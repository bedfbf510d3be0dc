export { addCacheControl } from "./cache-control.ts";
export { withCallDefaults } from "./call-defaults.ts";
export { type ModelDiagnostic, type ModelProblem, OFFLINE_MODEL } from "./find-endpoint.ts";
export { keyValues, keyVariables } from "./key-variables.ts";
export { type ModelPrice, PRICES_DATE } from "./prices.ts";
export { addCost, type Cost, formatDollars, NO_COST, requestCost } from "./request-cost.ts";
export { providerKeys } from "./provider-keys.ts";
export type {
  ModelSettings,
  ProviderApi,
  ProviderSettings,
  ProviderTable,
} from "./provider-settings.ts";
export { DEFAULT_PROVIDER_ORDER, KNOWN_PROVIDERS, type KnownProvider } from "./provider-table.ts";
export { type ResolvedModel, resolveModel, type ResolveModelInput } from "./resolve-model.ts";
export { type ModelRoles, resolveRoles } from "./resolve-roles.ts";
