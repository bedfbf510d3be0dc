import { html, type View } from "../html.ts";
import { type Failure, isFailure } from "../state/server.ts";

/** Renders what was read, or says why there is nothing. */
export function loaded<T>(value: T | Failure | undefined, render: (value: T) => View): View {
  if (value === undefined) return html`<p class="quiet" role="status">Loading…</p>`;
  if (isFailure(value)) return html`<p class="problem" role="alert">${value.message}</p>`;
  return render(value);
}
