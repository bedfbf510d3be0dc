export { memorySettings, type MemorySettingValues } from "./memory-settings.ts";
export type { MemoriesValues, MemorySourceName } from "./keys/memories-keys.ts";
export type { SettingEdit } from "./file/patch-settings.ts";
export { pipelineSettings, type PipelineSettingValues } from "./pipeline-settings.ts";
export type { ProviderApi, ProviderSettings, ProviderTable } from "./keys/provider-keys.ts";
export { effectiveValue, type EffectiveSetting, type SettingOrigin } from "./resolve/resolve.ts";
export {
  renderDiagnostic,
  isSettingsError,
  SettingsError,
  type SettingsDiagnostic,
  type SettingsDiagnosticCode,
} from "./diagnostic.ts";
export type { RequestedHook, RequestedServer } from "./resolve/requests.ts";
export type { HookEvent, HookSettings, HookTable } from "./keys/hook-keys.ts";
export { redactedTexts, redactedValue } from "./keys/secret-texts.ts";
export type { ServerSettings, ServerTable } from "./keys/server-keys.ts";
export {
  isSettingKey,
  SETTING_KEY_NAMES,
  SETTING_KEYS,
  type SettingKey,
  type SettingRow,
  type SettingValue,
  type SettingValues,
} from "./keys/setting-keys.ts";
export type { CountRange, ProjectPower, SettingKind, SettingVariable } from "./keys/setting-row.ts";
