import { render } from "preact";
import { PageShell } from "./page-shell.ts";
import { listenForKeys } from "./parts/keys.ts";
import { html } from "./html.ts";
import { takeToken } from "./state/access.ts";
import { warnBeforeLeaving } from "./state/drafts.ts";
import { followChanges } from "./state/live.ts";
import { followAddress } from "./state/route.ts";

takeToken();
followAddress();
warnBeforeLeaving();
listenForKeys();
const root = document.getElementById("page");
if (root !== null) render(html`<${PageShell} />`, root);
void followChanges();
