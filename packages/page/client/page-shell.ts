import { useEffect } from "preact/hooks";
import type { PageSubject } from "../src/data.ts";
import { html, type View } from "./html.ts";
import { Icon } from "./parts/icons.ts";
import { line } from "./parts/safe-text.ts";
import { ProjectSwitcher, useProjects } from "./project-switcher.ts";
import { useResource } from "./state/resource.ts";
import { addressOf, currentRoute, type ViewName, viewOf, VIEWS } from "./state/route.ts";
import { isFailure, isStored, lost } from "./state/server.ts";
import { toast } from "./state/toast.ts";
import { HealthPage } from "./views/health.ts";
import { InboxPage } from "./views/inbox.ts";
import { KeysPage } from "./views/keys.ts";
import { ProjectsPage } from "./views/projects.ts";
import { PromptPage } from "./views/prompt.ts";
import { SearchPage } from "./views/search.ts";
import { TimelinePage } from "./views/timeline.ts";
import { TopicsPage } from "./views/topics.ts";

interface Shown {
  readonly name: ViewName | "projects" | "help";
  readonly title: string;
  readonly Page: () => View;
}

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
  const { isAll } = useProjects();
  const { name, title, Page } = shownView(isAll);
  const { project } = currentRoute.value;
  useEffect(() => {
    document.title = `${title} – caliban memory`;
  }, [title]);
  return html`<a class="skip" href="#main" onClick=${skipToMain}>Skip to the content</a>
    <div class="app">
      <header>
        <${Subject} />
        <${ProjectSwitcher} />
        <${Navigation} view=${name} isAll=${isAll} />
      </header>
      <main id="main" tabindex="-1" class=${`view-${name}`}>
        <${LostNotice} />
        <h1>${title}</h1>
        <${Page} key=${`${project}/${name}`} />
      </main>
    </div>
    <${ToastLine} />`;
}

function shownView(isAll: boolean): Shown {
  const route = currentRoute.value;
  const [first = ""] = route.pieces;
  if (first === "help") return { name: "help", title: "Keys", Page: KeysPage };
  const isList = first === "projects" || (isAll && first === "" && route.project === "");
  if (isList) return { name: "projects", title: "Projects", Page: ProjectsPage };
  const name = viewOf(route);
  return { name, title: TITLES[name], Page: PAGES[name] };
}

function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Subject(): View {
  const about = useResource<PageSubject>("about");
  const known = about === undefined || isFailure(about) ? undefined : about;
  return html`<div class="subject">
    <p><strong>caliban</strong> memory${isStored && html` <span class="tag">exported</span>`}</p>
    ${known !== undefined && html`<p class="path" title=${line(known.workspace)}>${line(known.workspace)}</p>`}
    ${known?.readOnly !== undefined && html`<p class="tag warn">read-only: ${line(known.readOnly)}</p>`}
  </div>`;
}

function Navigation({
  view,
  isAll,
}: {
  readonly view: string | undefined;
  readonly isAll: boolean;
}): View {
  // A search needs the server.
  const shown = isStored ? VIEWS.filter((name) => name !== "search") : VIEWS;
  return html`<nav aria-label="Views">
    ${isAll && html`<${NavigationLink} name="projects" label="Projects" address="#/projects" letter="0" isCurrent=${view === "projects"} />`}
    ${shown.map(
      (name) =>
        html`<${NavigationLink}
          name=${name}
          label=${TITLES[name]}
          address=${addressOf(name)}
          letter=${VIEWS.indexOf(name) + 1}
          isCurrent=${name === view}
        />`,
    )}
    <a class="keys" href=${addressOf("help")} aria-current=${view === "help" ? "page" : undefined}
      >Keys <kbd>?</kbd></a
    >
  </nav>`;
}

function NavigationLink({
  name,
  label,
  address,
  letter,
  isCurrent,
}: {
  readonly name: ViewName | "projects";
  readonly label: string;
  readonly address: string;
  readonly letter: string | number;
  readonly isCurrent: boolean;
}): View {
  return html`<a href=${address} aria-current=${isCurrent ? "page" : undefined}>
    <${Icon} name=${name} /><span>${label}</span>${name === "inbox" && html`<${InboxCount} />`}
    <kbd>${letter}</kbd>
  </a>`;
}

/** How many proposals wait. */
function InboxCount(): View {
  const inbox = useResource<{ readonly rows: readonly unknown[] }>("inbox");
  if (inbox === undefined || isFailure(inbox) || inbox.rows.length === 0) return null;
  return html`<span class="badge">${inbox.rows.length}<span class="hidden"> waiting</span></span>`;
}

const LOST = {
  "no-token": "This address needs its token. Run: caliban page",
  stopped: "The page was stopped. Start it again with: caliban page",
} as const;

function LostNotice(): View {
  return lost.value === "" ? null : html`<p class="lost" role="alert">${LOST[lost.value]}</p>`;
}

function ToastLine(): View {
  const shown = toast.value;
  return html`<div class="toast-area" role="status">
    ${
      shown !== undefined &&
      html`<div class=${shown.isProblem ? "toast bad" : "toast"}>
        <span>${line(shown.text)}</span>
        ${shown.undo !== undefined && html`<button type="button" data-key="z" onClick=${shown.undo}>Undo <kbd>z</kbd></button>`}
        <button type="button" class="plain" onClick=${() => (toast.value = undefined)}>
          Dismiss
        </button>
      </div>`
    }
  </div>`;
}
