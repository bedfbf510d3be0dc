import { renderCliPage } from "./cli-page.ts";
import { renderHelpModule } from "./help-module.ts";
import { renderSettingsPage } from "./settings-page.ts";
import { renderTerminalPage } from "./terminal-page.ts";
import { renderToolsPage } from "./tools-page.ts";

/** The pages of docs/ and the help, which are made from code, by their path in the repository. */
export function generatedPages(): Readonly<Record<string, string>> {
  return {
    "apps/caliban/src/cli/help-text.ts": renderHelpModule(),
    "docs/cli.md": renderCliPage(),
    "docs/settings.md": renderSettingsPage(),
    "docs/terminal.md": renderTerminalPage(),
    "docs/tools.md": renderToolsPage(),
  };
}
