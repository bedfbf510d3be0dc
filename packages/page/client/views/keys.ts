import { html, type View } from "../html.ts";

const KEYS: readonly (readonly [heading: string, keys: readonly (readonly [string, string])[]])[] =
  [
    [
      "Everywhere",
      [
        ["1 – 6", "Open a view"],
        ["0", "List the projects, with --all"],
        ["p", "Choose the project, with --all"],
        ["j k ↓ ↑", "Next and previous row; Enter opens it"],
        ["/", "Go to the search field; Escape leaves it"],
        ["b", "Close what is open"],
        ["z", "Undo what was just done"],
        ["Ctrl Enter", "Save"],
      ],
    ],
    [
      "Topics",
      [
        ["n", "New topic"],
        ["e", "Edit the open topic"],
        ["r", "Rename it"],
        ["v", "Move it to the other scope"],
        ["d", "Delete it"],
      ],
    ],
    [
      "Several at once",
      [
        ["s", "Select the row, in topics and in the inbox"],
        ["D", "Delete the selected topics"],
        ["V", "Move the selected topics to the other scope"],
        ["A", "Accept the selected proposals"],
        ["X", "Reject the selected proposals"],
      ],
    ],
    [
      "Inbox, timeline, health",
      [
        ["a", "Accept the open proposal"],
        ["e", "Edit it before accepting"],
        ["x", "Reject it"],
        ["u", "Undo the open change"],
        ["f", "Fix what can be fixed"],
      ],
    ],
  ];

/** The keys of all views. */
export function KeysPage(): View {
  return html`<div class="cards">
    ${KEYS.map(
      ([heading, keys]) =>
        html`<section class="card">
          <h2>${heading}</h2>
          <dl class="keys-list">
            ${keys.map(
              ([key, doc]) =>
                html`<div>
                  <dt><kbd>${key}</kbd></dt>
                  <dd>${doc}</dd>
                </div>`,
            )}
          </dl>
        </section>`,
    )}
  </div>`;
}
