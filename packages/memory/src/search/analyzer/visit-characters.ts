import { type TextUnits, unitsFrom } from "./text-units.ts";

/** Goes through the characters of a run: calls with each of them, and with each two that stand side by side. */
export function visitCharacters(
  { units }: TextUnits,
  { from, to }: { readonly from: number; readonly to: number },
  onCharacters: (from: number, to: number) => void,
): void {
  let before = -1;
  for (let at = from; at < to;) {
    const end = at + unitsFrom(units[at] ?? 0);
    onCharacters(at, end);
    if (before !== -1) onCharacters(before, end);
    before = at;
    at = end;
  }
}
