import { editUserSettings } from "../../src/node/edit-user-settings.ts";

// Sets one value in its own process. edit-user-settings.test.ts starts several at once.
const [path = "", key = "", word = ""] = process.argv.slice(2);
await editUserSettings({
  path,
  edit: { action: "set", key, args: [word] },
  platform: "linux",
  home: "/home/me",
});
