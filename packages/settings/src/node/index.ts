export {
  addUserServer,
  type EditedUserServer,
  type EditUserServerInput,
  removeUserServer,
} from "./edit-user-servers.ts";
export {
  type EditedSettings,
  editUserSettings,
  type EditUserSettingsInput,
} from "./edit-user-settings.ts";
export {
  defaultSettings,
  loadSettings,
  type LoadedSettings,
  type LoadSettingsInput,
  userSettingsPath,
} from "./load-settings.ts";
export { locateSetting, type LocateSettingInput } from "./locate-setting.ts";
