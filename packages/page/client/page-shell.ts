import { useEffect, useRef } from "preact/hooks";
import type { PageSubject } from "../src/data.ts";
import { html, type View } from "./html.ts";
import { line } from "./parts/safe-text.ts";
import { useResource } from "./state/resource.ts";
import { currentRoute, type ViewName, viewOf, VIEWS } from "./state/route.ts";
import { isFailure, isStored, lost } from "./state/server.ts";
import { toast } from "./state/toast.ts";
import { HealthPage } from "./views/health.ts";
import { InboxPage } from "./views/inbox.ts";
import { PromptPage } from "./views/prompt.ts";
import { SearchPage } from "./views/search.ts";
import { TimelinePage } from "./views/timeline.ts";
import { TopicsPage } from "./views/topics.ts";

const TITLES: Readonly<Record<ViewName, string>> = {
  prompt: "Prompt",
  topics: "Topics",
  inbox: "Inbox",
  timeline: "Timeline",
  search: "Search",
  health: "Health",
};

const PAGES: Readonly<Record<ViewName, () => View>> = {
  prompt: PromptPage,
  topics: TopicsPage,
  inbox: InboxPage,
  timeline: TimelinePage,
  search: SearchPage,
  health: HealthPage,
};

/** The frame of all views. */
export function PageShell(): View {
  const route = currentRoute.value;
  const view = viewOf(route);
  const isHelp = route.pieces[0] === "help";
  const title = isHelp ? "Keys" : TITLES[view];
  useEffect(() => {
    document.title = `${title} – caliban memory`;
  }, [title]);
  return html`<a class="skip" href="#main" onClick=${skipToMain}>Skip to the content</a>
    <header><${Subject} /><${Navigation} view=${isHelp ? undefined : view} /></header>
    <${LostNotice} />
    <main id="main" tabindex="-1">
      <h1>${title}</h1>
      ${isHelp ? html`<${Keys} />` : html`<${PAGES[view]} key=${view} />`}
    </main>
    <${ToastLine} />`;
}

function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Subject(): View {
  const about = useResource<PageSubject>("about");
  if (about === undefined || isFailure(about)) return html`<p class="subject">caliban memory</p>`;
  return html`<p class="subject">
    caliban memory of${" "}
    <strong>${line(about.workspace)}</strong> ${isStored && " (exported, read-only)"}
    ${about.readOnly !== undefined && html` <span class="quiet">read-only: ${line(about.readOnly)}</span>`}
  </p>`;
}

function Navigation({ view }: { readonly view: ViewName | undefined }): View {
  // A search needs the server.
  const shown = isStored ? VIEWS.filter((name) => name !== "search") : VIEWS;
  return html`<nav aria-label="Views">
    ${shown.map(
      (name) =>
        html`<a href=${`#/${name}`} aria-current=${name === view ? "page" : undefined}
          >${TITLES[name]} <kbd>${VIEWS.indexOf(name) + 1}</kbd></a
        >`,
    )}<a href="#/help">Keys <kbd>?</kbd></a>
  </nav>`;
}

const LOST = {
  "no-token": "This address needs its token. Run: caliban page",
  stopped: "The page was stopped. Start it again with: caliban page",
} as const;

function LostNotice(): View {
  return lost.value === ""
    ? null
    : html`<p class="problem lost" role="alert">${LOST[lost.value]}</p>`;
}

function ToastLine(): View {
  const shown = toast.value;
  const box = useRef<HTMLDivElement>(null);
  return html`<div class="toast-area" role="status" ref=${box}>
    ${
      shown !== undefined &&
      html`<div class=${shown.isProblem ? "toast problem" : "toast"}>
        <span>${line(shown.text)}</span>
        ${shown.undo !== undefined && html`<button type="button" data-key="z" onClick=${shown.undo}>Undo <kbd>z</kbd></button>`}
        <button type="button" onClick=${() => (toast.value = undefined)}>Dismiss</button>
      </div>`
    }
  </div>`;
}

const KEYS: readonly (readonly [string, string])[] = [
  ["1 to 6", "Open a view"],
  ["j, k or arrows", "Next and previous row; Enter opens it"],
  ["/", "Go to the search field; Escape leaves it"],
  ["b", "Back to the list"],
  ["n", "New topic"],
  ["e, r, v, d", "Edit, rename, move, delete the open topic"],
  ["a, e, x", "Accept, edit, reject the open proposal"],
  ["u", "Undo the open change"],
  ["z", "Undo what was just done"],
  ["f", "Fix what can be fixed"],
  ["Ctrl Enter", "Save"],
];

function Keys(): View {
  return html`<table>
    <thead class="hidden">
      <tr>
        <th>Key</th>
        <th>What it does</th>
      </tr>
    </thead>
    <tbody>
      ${KEYS.map(
        ([key, doc]) =>
          html`<tr>
            <th scope="row"><kbd>${key}</kbd></th>
            <td>${doc}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
