import { html, type View } from "../html.ts";
import { isStored } from "../state/server.ts";
import type { Selection } from "../state/selection.ts";
import { line } from "./safe-text.ts";

/** The box before a row that selects it. */
export function SelectBox({
  selection,
  rowKey,
  name,
}: {
  readonly selection: Selection;
  readonly rowKey: string;
  readonly name: string;
}): View {
  if (isStored) return null;
  return html`<label class="select"
    ><input
      type="checkbox"
      tabindex="-1"
      checked=${selection.keys.value.has(rowKey)}
      onChange=${() => selection.toggle(rowKey)}
    /><span class="hidden">Select ${line(name)}</span></label
  >`;
}
