import { editUserSettings } from "../../src/node/edit-user-settings.ts";

// Sets one value in its own process. Not a test: edit-user-settings.test.ts starts several at once.
const [path = "", key = "", word = ""] = process.argv.slice(2);
await editUserSettings({
  path,
  edit: { action: "set", key, words: [word] },
  platform: "linux",
  home: "/home/me",
});
