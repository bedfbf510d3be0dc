/** The client: one script and one style sheet, inlined into the document. */
export interface PageClient {
  readonly script: string;
  readonly style: string;
}

export interface DocumentInput {
  readonly client: PageClient;
  /** The base64 SHA-256 of a text. */
  readonly sha256: (text: string) => string;
  /** For a page without a server: every answer by its address, as JSON. */
  readonly stored?: string | undefined;
  /** For a page in a frame of another program: tells that program that the page is there. */
  readonly hostScript?: string | undefined;
}

/** A document that can load nothing and run nothing but its own script. */
export interface PageDocument {
  readonly html: string;
  /** The Content-Security-Policy, which is also in the document. */
  readonly policy: string;
}

export function renderDocument(input: DocumentInput): PageDocument {
  const { client, sha256, stored, hostScript } = input;
  const { script, style } = client;
  const scripts = [script, ...(hostScript === undefined ? [] : [hostScript])];
  // A script ends at its first closing tag, whatever the tag is part of.
  if (/<\/(?:script|style)/i.test([...scripts, style].join("\n")))
    throw new Error("the client has a closing tag");
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map((text) => `'sha256-${sha256(text)}'`).join(" ")}`,
    `style-src 'sha256-${sha256(style)}'`,
    stored === undefined ? "connect-src 'self'" : "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const data =
    stored === undefined
      ? ""
      : `<script type="application/json" id="stored">${escapeJson(stored)}</script>\n`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>caliban memory</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. The same is in the terminal: caliban memory</noscript>
${data}${scripts.map((text) => `<script type="module">${text}</script>`).join("\n")}
</body>
</html>
`;
  return { html, policy };
}

/** JSON that cannot end the element that contains it. */
function escapeJson(json: string): string {
  return json
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
