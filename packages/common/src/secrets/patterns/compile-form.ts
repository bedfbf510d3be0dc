const PARTS: Readonly<Record<string, string>> = {
  hex: "[0-9a-f]",
  anyhex: "[0-9A-Fa-f]",
  lower: "[a-z0-9]",
  upper: "[A-Z0-9]",
  base32: "[A-Z2-7]",
  base58: "[1-9A-HJ-NP-Za-km-z]",
  base62: "[A-Za-z0-9]",
  base64: "[A-Za-z0-9+/]",
  crypt: "[./A-Za-z0-9]",
  url: String.raw`[\w-]`,
  word: String.raw`\w`,
  uuid: "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}",
  // A token without a separator after its prefix would otherwise be found in any long Base64 text.
  start: String.raw`(?<![\w+/-])`,
  end: String.raw`(?![\w+/=-])`,
};

/**
 * Compiles the form of a token. `{hex:40}` are 40 characters of an alphabet, `{hex:40+}` at least 40, `{hex:4-8}` 4 to 8;
 * `{uuid}`, `{start}` and `{end}` are what they say. The rest is a regular expression.
 */
export function compileForm(form: string): RegExp {
  const source = form
    .replaceAll(/\{(\w+):(\d+)\}/g, (_, name: string, length: string) => `${part(name)}{${length}}`)
    .replaceAll(
      /\{(\w+):(\d+)\+\}/g,
      (_, name: string, least: string) => `${part(name)}{${least},}`,
    )
    .replaceAll(/\{(\w+):(\d+-\d+)\}/g, (_, name: string, range: string) => {
      return `${part(name)}{${range.replace("-", ",")}}`;
    })
    .replaceAll(/\{([a-z]+)\}/g, (_, name: string) => part(name));
  return new RegExp(source, "g");
}

function part(name: string): string {
  const source = PARTS[name];
  if (source === undefined) throw new Error(`unknown part of a form: ${name}`);
  return source;
}
