import { html, type View } from "../html.ts";

const PATHS = {
  projects: "M3 6h6l2 2h10v11H3z",
  prompt: "M3 4h18v16H3zM12 4v16M12 12h9",
  topics: "M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7",
  inbox: "M3 13l3-8h12l3 8v6H3zM3 13h6a3 3 0 0 0 6 0h6",
  timeline: "M12 3a9 9 0 1 0 0.01 0M12 8v4l3 3",
  search: "M10.5 4a6.5 6.5 0 1 0 0.01 0M15.5 15.5l5 5",
  health: "M3 12h4l3-7 4 14 3-7h4",
} as const;

/** A drawing next to the name of a view. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }): View {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d=${PATHS[name]} />
  </svg>`;
}
