import { renderCliPage } from "./cli-page.ts";
import { renderSettingsPage } from "./settings-page.ts";
import { renderToolsPage } from "./tools-page.ts";

/** The pages of docs/ that are made from code, by their path in the repository. */
export function generatedPages(): Readonly<Record<string, string>> {
  return {
    "docs/cli.md": renderCliPage(),
    "docs/settings.md": renderSettingsPage(),
    "docs/tools.md": renderToolsPage(),
  };
}
