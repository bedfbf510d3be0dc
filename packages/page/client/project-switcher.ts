import type { PageProject } from "../src/projects.ts";
import { html, type View } from "./html.ts";
import { fieldValue } from "./parts/field-value.ts";
import { line } from "./parts/safe-text.ts";
import { useResource } from "./state/resource.ts";
import { currentRoute, goTo, projectAddress, viewOf } from "./state/route.ts";
import { isFailure } from "./state/server.ts";

/** The projects that can be shown. */
export interface KnownProjects {
  readonly isAll: boolean;
  readonly rows: readonly PageProject[];
}

const NONE: KnownProjects = { isAll: false, rows: [] };

export function useProjects(): KnownProjects {
  const projects = useResource<KnownProjects>("projects");
  return projects === undefined || isFailure(projects) ? NONE : projects;
}

/** Chooses whose memory is shown, if there are several. */
export function ProjectSwitcher(): View {
  const { isAll, rows } = useProjects();
  if (!isAll) return null;
  const { project } = currentRoute.value;
  const current = rows.find(({ isCurrent }) => isCurrent)?.id ?? "";
  return html`<label class="switcher"
    >Project
    <select
      data-switch
      value=${project === "" ? current : project}
      onChange=${(event: Event) => {
        // An open topic is not in the other project.
        goTo(projectAddress(fieldValue(event), viewOf(currentRoute.value)));
      }}
    >
      ${rows.map(
        ({ id, path, problem }) =>
          html`<option value=${id} disabled=${problem !== undefined}>${line(path)}</option>`,
      )}
    </select>
  </label>`;
}
