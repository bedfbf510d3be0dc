import { APP_HOST_SCRIPT } from "../export/app-host-script.ts";
import { collectAnswers } from "../export/collect-answers.ts";
import { redactedProjects } from "../export/redacted-data.ts";
import type { PageProjects } from "../projects.ts";
import { type PageClient, renderDocument } from "../safety/page-document.ts";
import { sha256Base64 } from "./serve-page.ts";

export interface ExportPageInput {
  readonly projects: PageProjects;
  readonly client: PageClient;
  /** Removes what must not leave this machine from a text. */
  readonly redact: (text: string) => Promise<string>;
  /** Whether another program shows the page in a frame, as an MCP App. */
  readonly isApp?: boolean | undefined;
}

/** Renders the page as one file that needs no server, changes nothing and loads nothing. */
export async function exportPage(input: ExportPageInput): Promise<string> {
  const { projects, client, redact, isApp = false } = input;
  const answers = await collectAnswers(redactedProjects(projects, redact));
  const stored = JSON.stringify(answers);
  const hostScript = isApp ? APP_HOST_SCRIPT : undefined;
  return renderDocument({ client, sha256: sha256Base64, stored, hostScript }).html;
}
