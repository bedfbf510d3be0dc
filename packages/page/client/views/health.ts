import type { HealthFinding, MemorySize, UnusedTopic } from "../../src/data.ts";
import type { PipelineView } from "../../src/view/pipeline-view.ts";
import { html, type View } from "../html.ts";
import { count, countOf } from "../parts/format.ts";
import { loaded } from "../parts/loaded.ts";
import { line } from "../parts/safe-text.ts";
import { useResource } from "../state/resource.ts";
import { addressOf } from "../state/route.ts";
import { change, isStored } from "../state/server.ts";
import { showOutcome } from "../state/toast.ts";
import { CostPlot } from "./cost-plot.ts";

/** What is wrong with the memory, how large it is, and what learning costs. */
export function HealthPage(): View {
  return html`<div class="cards">
    <${Problems} />
    <${Sizes} />
    <${Pipeline} />
    <${Unused} />
  </div>`;
}

interface Rows<T> {
  readonly rows: readonly T[];
}

/** What `caliban memory doctor` finds; evidence that changed is a group of its own. */
function Problems(): View {
  const findings = useResource<Rows<HealthFinding>>("health/findings");
  const none = html`<p class="good-news" role="status">No problems found.</p>`;
  return loaded(
    findings,
    ({ rows }) => {
      const problems = rows.filter(({ code }) => code !== "EVIDENCE");
      const doubtful = rows.filter(({ code }) => code === "EVIDENCE");
      return html`<section class="card">
          <h2>Problems</h2>
          ${problems.length === 0 && none}
          ${(["project", "user"] as const).map((scope) => html`<${Findings} scope=${scope} rows=${problems.filter((finding) => finding.scope === scope)} all=${rows} />`)}
        </section>
        ${
          doubtful.length > 0 &&
          html`<section class="card">
            <h2>Changed evidence</h2>
            <p class="quiet">The files that support these topics are not as they were.</p>
            <${Findings}
              scope="project"
              rows=${doubtful}
              all=${problems.length === 0 ? rows : []}
            />
          </section>`
        }`;
    },
    html`<section class="card">
      <h2>Problems</h2>
      <p class="quiet" role="status">Checking every topic…</p>
    </section>`,
  );
}

function Findings({
  scope,
  rows,
  all,
}: {
  readonly scope: "project" | "user";
  readonly rows: readonly HealthFinding[];
  /** What one fix concerns: everything in a scope. */
  readonly all: readonly HealthFinding[];
}): View {
  if (rows.length === 0) return null;
  const own = all.filter((finding) => finding.scope === scope);
  const fixable = own.filter(({ isFixable }) => isFixable).length;
  return html`<div class="group">
    <h3>${scope === "user" ? "Your own memory" : "This project"}</h3>
    ${fixable > 0 && !isStored && html`<button type="button" class="primary" data-key="f" onClick=${() => void fix(scope)}>Fix ${fixable} of ${own.length} <kbd>f</kbd></button>`}
    <ul class="rows">
      ${rows.map((finding) => html`<${FindingLine} finding=${finding} />`)}
    </ul>
  </div>`;
}

async function fix(scope: string): Promise<void> {
  showOutcome(scope, await change("health/fix", { scope }));
}

function FindingLine({ finding }: { readonly finding: HealthFinding }): View {
  const { scope, code, path, message, line: at, isFixable } = finding;
  const slug = /^(.*)\.md$/.exec(path)?.[1];
  const where = line(at === undefined ? path : `${path}:${at}`);
  const body = html`<strong>${where}</strong> <span>${line(message)}</span>
    <small
      ><span class=${code === "SECRET" ? "tag bad" : "tag"}>${code}</span
      >${isFixable ? " can be fixed" : ""}</small
    >`;
  if (slug === undefined || slug === "MEMORY")
    return html`<li><div tabindex="0" data-row>${body}</div></li>`;
  return html`<li><a data-row href=${addressOf("topics", scope, slug)}>${body}</a></li>`;
}

function Sizes(): View {
  const sizes = useResource<Rows<MemorySize>>("health/sizes");
  return html`<section class="card">
    <h2>Size</h2>
    ${loaded(
      sizes,
      ({ rows }) =>
        html`<dl class="sizes">${rows.map((row) => html`<${SizeLine} ...${row} />`)}</dl>`,
    )}
  </section>`;
}

const FULL_SHARE = 0.8;

function SizeLine({ label, value, limit, unit, effect }: MemorySize): View {
  const isOver = value > limit;
  const state = isOver ? "over the limit" : value >= limit * FULL_SHARE ? "nearly full" : "";
  return html`<div>
    <dt>
      ${label}${state !== "" && html` <span class=${isOver ? "tag bad" : "tag warn"}>${state}</span>`}
    </dt>
    <dd>
      <meter
        min="0"
        max=${limit}
        high=${limit * FULL_SHARE}
        optimum="0"
        value=${value}
        aria-label=${`${label}, ${unit}`}
      ></meter>
      <span>${count(value)} of ${count(limit)} ${unit}</span>
      ${state !== "" && html`<p class="quiet">${effect}</p>`}
    </dd>
  </div>`;
}

function Pipeline(): View {
  const pipeline = useResource<PipelineView>("health/pipeline");
  return html`<section class="card">
    <h2>Cost of learning</h2>
    ${loaded(
      pipeline,
      ({ days, off, tokensToday, tokensInAll, dailyTokenBudget, waiting, problems }) =>
        html`${days.length === 0 ? html`<p class="quiet">Nothing was learned from past sessions yet.</p>` : html`<${CostPlot} days=${days} />`}
          <p class="quiet">
            ${`${count(tokensToday)} tokens today, of ${count(dailyTokenBudget)} a day for all projects; ${count(tokensInAll)} in all. ${countOf(waiting, "session")} ${waiting === 1 ? "waits" : "wait"} to be read.`}
          </p>
          ${off !== undefined && html`<p class="notice">Nothing is learned now: ${line(off)}</p>`}
          ${problems.map((problem) => html`<p class="problem">${line(problem)}</p>`)}`,
    )}
  </section>`;
}

const MAX_UNUSED = 20;

function Unused(): View {
  const unused = useResource<Rows<UnusedTopic>>("health/unused");
  return html`<section class="card">
    <h2>Unused topics</h2>
    ${loaded(unused, ({ rows }) =>
      rows.length === 0
        ? html`<p class="quiet">Every topic was used, or is too new to tell.</p>`
        : html`<p class="quiet">They may still be right. What is out of date can be deleted.</p>
            <ul class="rows">
              ${rows.slice(0, MAX_UNUSED).map(
                ({ slug, sessions }) =>
                  html`<li>
                    <a data-row href=${addressOf("topics", "project", slug)}
                      ><strong>${line(slug)}</strong
                      ><small>not used in ${countOf(sessions, "session")}</small></a
                    >
                  </li>`,
              )}
            </ul>
            ${rows.length > MAX_UNUSED && html`<p class="quiet">and ${count(rows.length - MAX_UNUSED)} more, which the filters of <a href=${addressOf("topics")}>Topics</a> find</p>`}`,
    )}
  </section>`;
}
