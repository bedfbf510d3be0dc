export { editUserSettings, type EditUserSettingsInput } from "./edit-user-settings.ts";
export {
  loadSettings,
  type LoadedSettings,
  type LoadSettingsInput,
  settingsPaths,
  type SettingsPaths,
} from "./load-settings.ts";
