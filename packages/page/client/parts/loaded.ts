import { html, type View } from "../html.ts";
import { type Failure, isFailure } from "../state/server.ts";

/** Renders what was read, or says why there is nothing. */
export function loaded<T>(
  value: T | Failure | undefined,
  render: (value: T) => View,
  waiting?: View,
): View {
  if (value === undefined) return waiting ?? html`<p class="quiet" role="status">Loading…</p>`;
  if (isFailure(value))
    return html`<div class="empty card" role="alert">
      <p class="problem">${value.message}</p>
    </div>`;
  return render(value);
}
