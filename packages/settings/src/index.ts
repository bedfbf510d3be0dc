export { memorySettings, type MemorySettingValues } from "./memory-settings.ts";
export type { SettingEdit } from "./patch-settings.ts";
export type { ProviderApi, ProviderSettings, ProviderTable } from "./provider-keys.ts";
export type { EffectiveSetting, SettingOrigin } from "./resolve.ts";
export {
  renderProblem,
  SettingsError,
  type SettingsProblem,
  type SettingsProblemCode,
} from "./problem.ts";
export {
  isSettingKey,
  type ProjectPower,
  SETTING_KEY_NAMES,
  SETTING_KEYS,
  type SettingKey,
  type SettingKind,
  type SettingRow,
  type SettingValue,
  type SettingValues,
  type SettingVariable,
} from "./setting-keys.ts";
export { effectiveValue } from "./setting-path.ts";
