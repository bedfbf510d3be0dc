import type { Health } from "../../src/data.ts";
import { html, type View } from "../html.ts";
import { loaded } from "../parts/loaded.ts";
import { line } from "../parts/safe-text.ts";
import { useResource } from "../state/resource.ts";
import { addressOf } from "../state/route.ts";
import { change, isStored } from "../state/server.ts";
import { showOutcome } from "../state/toast.ts";

/** Problems of the topics, and their repair. */
export function HealthPage(): View {
  const health = useResource<Health>("health");
  return loaded(
    health,
    ({ findings, unused }) =>
      html` ${findings.length === 0 && html`<p role="status">No problems found.</p>`}
      ${(["project", "user"] as const).map((scope) => {
        const own = findings.filter((finding) => finding.scope === scope);
        if (own.length === 0) return null;
        const fixable = own.filter(({ isFixable }) => isFixable).length;
        return html`<section>
          <h2>${scope === "user" ? "Your own memory" : "This project"}</h2>
          ${fixable > 0 && !isStored && html`<button type="button" data-key="f" onClick=${() => void fix(scope)}>Fix ${fixable} of ${own.length} <kbd>f</kbd></button>`}
          <ul class="rows">
            ${own.map((finding) => html`<${FindingLine} finding=${finding} />`)}
          </ul>
        </section>`;
      })}
      ${
        unused.length > 0 &&
        html`<section>
          <h2>Not used for a long time</h2>
          <ul class="rows">
            ${unused.map((slug) => html`<li><a data-row href=${addressOf("topics", "project", slug)}>${line(slug)}</a></li>`)}
          </ul>
        </section>`
      }`,
  );
}

async function fix(scope: string): Promise<void> {
  showOutcome(scope, await change("health/fix", { scope }));
}

function FindingLine({ finding }: { readonly finding: Health["findings"][number] }): View {
  const { scope, code, path, message, line: at, isFixable } = finding;
  const slug = /^(.*)\.md$/.exec(path)?.[1];
  const where = line(at === undefined ? path : `${path}:${at}`);
  const body = html`<strong>${where}</strong> <span>${line(message)}</span>
    <small>${code}${isFixable ? ", can be fixed" : ""}</small>`;
  if (slug === undefined || slug === "MEMORY")
    return html`<li><div tabindex="0" data-row>${body}</div></li>`;
  return html`<li><a data-row href=${addressOf("topics", scope, slug)}>${body}</a></li>`;
}
