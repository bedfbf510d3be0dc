export { memorySettings, type MemorySettingValues } from "./memory-settings.ts";
export type { MemoriesValues, MemorySourceName } from "./memories-keys.ts";
export type { SettingEdit } from "./patch-settings.ts";
export { pipelineSettings, type PipelineSettingValues } from "./pipeline-settings.ts";
export type { ProviderApi, ProviderSettings, ProviderTable } from "./provider-keys.ts";
export type { EffectiveSetting, SettingOrigin } from "./resolve.ts";
export {
  renderProblem,
  SettingsError,
  type SettingsProblem,
  type SettingsProblemCode,
} from "./problem.ts";
export type { ServerWish } from "./resolve-wishes.ts";
export { presentableTexts, presentableValue } from "./secret-texts.ts";
export type { ServerSettings, ServerTable } from "./server-keys.ts";
export {
  isSettingKey,
  SETTING_KEY_NAMES,
  SETTING_KEYS,
  type SettingKey,
  type SettingRow,
  type SettingValue,
  type SettingValues,
} from "./setting-keys.ts";
export type { CountRange, ProjectPower, SettingKind, SettingVariable } from "./setting-row.ts";
export { effectiveValue } from "./setting-path.ts";
