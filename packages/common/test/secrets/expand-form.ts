import { createMadeUp, type MadeUp } from "./random-values.ts";

/** Fills in the random parts of a form such as `FOO_TOKEN=[[foo_{hex:40}]]`; the value is all of it without brackets. */
export function expandForm(
  form: string,
  seed: number,
): { readonly text: string; readonly value: string } {
  const draw = alphabets(createMadeUp(seed));
  const expanded = form.replaceAll(/\{(\w+)(?::(\d+))?\}/g, (_, name: string, length: string) => {
    const alphabet = draw[name];
    if (alphabet === undefined) throw new Error(`no alphabet ${name}: ${form}`);
    return alphabet(Number(length));
  });
  const value = /\[\[(.+)\]\]/s.exec(expanded)?.[1] ?? expanded;
  return { text: expanded.replace(/\[\[(.+)\]\]/s, "$1"), value };
}

function alphabets(madeUp: MadeUp): Readonly<Record<string, (length: number) => string>> {
  const { base32, base64Url, letters } = madeUp;
  return {
    ...madeUp,
    url: base64Url,
    alpha: letters,
    word: (length) => base64Url(length).replaceAll("-", "_"),
    lower32: (length) => base32(length).toLowerCase(),
    anyCaseHex: (length) => madeUp.hex(length).replaceAll(/[ace]/g, (digit) => digit.toUpperCase()),
    upperHex: (length) => madeUp.hex(length).toUpperCase(),
    credentials: () => btoa(`deploy:${madeUp.base62(16)}`),
    bytes: () => "",
  };
}
