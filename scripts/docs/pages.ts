import { renderCliPage } from "./cli-page.ts";
import { renderSettingsPage } from "./settings-page.ts";
import { renderTerminalPage } from "./terminal-page.ts";
import { renderToolsPage } from "./tools-page.ts";

/** The generated pages of docs/, by their path in the repository. */
export function generatedPages(): Readonly<Record<string, string>> {
  return {
    "docs/cli.md": renderCliPage(),
    "docs/settings.md": renderSettingsPage(),
    "docs/terminal.md": renderTerminalPage(),
    "docs/tools.md": renderToolsPage(),
  };
}
