import { render } from "preact";
import { PageShell } from "./page-shell.ts";
import { listenForKeys } from "./parts/keys.ts";
import { html } from "./html.ts";
import { followNewToken, takeToken } from "./state/access.ts";
import { warnBeforeLeaving } from "./state/drafts.ts";
import { followChanges } from "./state/live.ts";
import { followAddress } from "./state/route.ts";

takeToken();
followNewToken();
followAddress();
warnBeforeLeaving();
listenForKeys();
const root = document.getElementById("page");
if (root !== null) render(html`<${PageShell} />`, root);
void followChanges();
