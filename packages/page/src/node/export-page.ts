import type { MemoryPageData } from "../data.ts";
import { collectAnswers } from "../export/collect-answers.ts";
import { redactedData } from "../export/redacted-data.ts";
import { type PageClient, renderDocument } from "../safety/page-document.ts";
import { sha256Base64 } from "./serve-page.ts";

export interface ExportPageInput {
  readonly data: MemoryPageData;
  readonly client: PageClient;
  /** Removes what must not leave this machine from a text. */
  readonly redact: (text: string) => Promise<string>;
}

/** Renders the page as one file that needs no server, changes nothing and loads nothing. */
export async function exportPage({ data, client, redact }: ExportPageInput): Promise<string> {
  const answers = await collectAnswers(redactedData(data, redact));
  const stored = JSON.stringify(answers);
  return renderDocument({ client, sha256: sha256Base64, stored }).html;
}
