import { createRandom, type Random } from "../search/random.ts";
import type { SessionLines } from "./case.ts";

type Area = readonly [noun: string, path: string, detail: string];

/** Parts of a repository, with words that some cases use as well. */
const SHOP_AREAS: readonly Area[] = [
  ["payment form", "web/checkout/PaymentForm.tsx", "the card field"],
  ["order list", "src/api/orders.ts", "the status column"],
  ["customer export", "src/export/customers-csv.ts", "the header row"],
  ["avatar preview", "web/account/Avatar.tsx", "the round mask"],
  ["basket badge", "web/components/BasketBadge.tsx", "the number"],
  ["shop settings", "web/admin/ShopSettings.tsx", "the save button"],
  ["login page", "web/pages/login.tsx", "the error message"],
  ["carrier client", "src/shipping/carrier.ts", "the tracking link"],
  ["coupon dialog", "web/components/CouponDialog.tsx", "the input"],
  ["invoice template", "src/invoices/template.ts", "the footer"],
  ["email template", "src/jobs/templates/welcome.ts", "the greeting"],
  ["catalog filter", "src/catalog/filters.ts", "the price range"],
  ["refund dialog", "web/admin/RefundDialog.tsx", "the reason field"],
  ["category tree", "src/catalog/tree.ts", "the drag handle"],
  ["webhook page", "web/admin/Webhooks.tsx", "the test button"],
  ["stock report", "src/stock/report.ts", "the sort order"],
  ["staging database", "infra/database.tf", "the instance size"],
  ["search box", "web/components/SearchBox.tsx", "the placeholder"],
  ["test helper", "test/support/shop.ts", "the fixture"],
  ["release script", "scripts/release.sh", "the tag"],
];

const DEVICE_AREAS: readonly Area[] = [
  ["device table", "frontend/src/device/DeviceTable.tsx", "the status column"],
  ["alarm list", "frontend/src/alarm/AlarmList.tsx", "the severity badge"],
  ["ingest worker", "collector/ingest/worker.go", "the batch counter"],
  ["gateway page", "frontend/src/gateway/GatewayPage.tsx", "the firmware version"],
  ["site map", "frontend/src/site/SiteMap.tsx", "the zoom button"],
  ["webhook settings", "frontend/src/settings/Webhooks.tsx", "the secret field"],
  ["billing report", "backend/billing/report.py", "the total"],
  ["alert rules", "backend/alerts/rules.py", "the threshold"],
  ["login form", "frontend/src/auth/LoginForm.tsx", "the password field"],
  ["retention job", "backend/readings/retention.py", "the log line"],
  ["orbitctl help", "cli/help.go", "the usage text"],
  ["broker config", "broker/broker.conf", "the port"],
  ["csv download", "backend/exports/readings.py", "the file name"],
  ["dashboard grid", "frontend/src/dashboard/Grid.tsx", "the resize handle"],
  ["device importer", "backend/devices/importer.py", "the error list"],
  ["compose file", "deploy/compose.yaml", "the health check"],
  ["release workflow", ".github/workflows/release.yml", "the cache step"],
  ["python sdk", "sdk/python/client.py", "the user agent"],
  ["rollout page", "frontend/src/firmware/Rollout.tsx", "the progress bar"],
  ["scheduler tests", "backend/tests/test_schedule.py", "the fixture"],
];

const TASKS: readonly ((noun: string, detail: string) => readonly string[])[] = [
  (noun, detail) => [
    `u: ${detail} of the ${noun} is broken on small screens, can you fix it?`,
    "a: I'll have a look.",
    "t: Read PATH",
    `a: The width was fixed. I changed ${detail} so that it wraps.`,
    "u: thanks, looks good",
  ],
  (noun, detail) => [
    `u: explain how the ${noun} works`,
    "t: Read PATH",
    `a: It loads the data first, then renders ${detail}. Errors are caught by the page.`,
    "u: ok. and who calls it?",
    "a: Only the route.",
  ],
  (noun, detail) => [
    `u: add a test for the ${noun}`,
    "t: Edit PATH",
    `a: I added two tests, one for ${detail} and one for the empty state.`,
    "u: can you also cover the error case?",
    "a: Added.",
  ],
  (noun, detail) => [
    `u: what about ${detail} of the ${noun}, should we move it to the top?`,
    "a: It would be easier to find there, but the designers placed it below on purpose.",
    "u: maybe later. leave it for now",
  ],
  (noun, detail) => [
    `u: refactor the ${noun}, it has 600 lines`,
    "t: Read PATH",
    `a: I can extract ${detail} into its own file.`,
    `u: yes, extract ${detail} and keep the rest`,
    "t: Edit PATH",
    "a: Done, 420 lines now.",
  ],
  (noun, detail) => [
    `u: the ${noun} throws in production`,
    "a: Do you have the stack trace?",
    `u: TypeError: cannot read properties of undefined, in ${detail}`,
    "t: Edit PATH",
    "a: I added the missing check.",
    "u: deployed, works",
  ],
  (noun, detail) => [
    `u: rename the component behind the ${noun} so that it matches the file`,
    "t: Edit PATH",
    `a: Renamed, and updated the imports. ${detail} is unchanged.`,
  ],
  (noun, detail) => [
    `u: how much work would it be to rewrite the ${noun}?`,
    `a: Two days, mostly because of ${detail}.`,
    "u: too much at the moment. forget it",
  ],
  (noun, detail) => [
    `u: review my change of the ${noun}`,
    "t: Bash git diff",
    `a: Looks fine. ${detail} could use a comment.`,
    "u: added. merge it when CI is green",
    "a: Merged.",
  ],
  (noun, detail) => [
    `u: the label of ${detail} in the ${noun} must say "Continue" and not "Next"`,
    "t: Edit PATH",
    "a: Changed.",
  ],
];

/** Conversations in which nothing is decided that a case needs. The same ones every time. */
export function decoySessions(count: number): readonly SessionLines[] {
  const random = createRandom(18);
  const areas = [...SHOP_AREAS, ...DEVICE_AREAS];
  return Array.from({ length: count }, (_, at) => {
    const [noun, path, detail] = areas[at % areas.length] ?? ["page", "web/page.tsx", "the title"];
    const task = TASKS[Math.floor(at / areas.length) % TASKS.length];
    const lines = task?.(noun, detail) ?? [];
    return [dayOf(random), ...lines.map((line) => line.replace("PATH", path))];
  });
}

function dayOf(random: Random): string {
  const day = new Date(Date.UTC(2026, 0, 10 + random.integer(270)));
  return day.toISOString().slice(0, 10);
}
