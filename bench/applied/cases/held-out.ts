import type { AppliedCase } from "../case.ts";

/** The other half, about another repository. Only its totals were looked at. */
export const HELD_OUT: readonly AppliedCase[] = [
  {
    name: "timeout of the ingest",
    sessions: [
      ["2026-03-02", "u: the collectors in Brazil drop batches", "t: Read collector/ingest/batch.go", "a: The request is cut off after five seconds. Shall I make that longer, or split the batches?", "u: Split them. A batch has at most 500 points, and the timeout stays where it is.", "a: Done."],
    ],
    message: "add compression to the ingest batches",
    call: "read collector/ingest/batch.go",
    text: "func (b *Batch) Send(ctx context.Context) error {\n\treturn b.post(ctx)\n}",
    expect: /at most 500 points/,
  },
  {
    name: "time series database",
    sessions: [
      ["2026-01-15", "u: influx or timescale for the metrics?", "a: Timescale lets us join with the device table, influx compresses better.", "u: Timescale. I want one database to back up.", "a: OK."],
    ],
    message: "store the battery metrics of the devices",
    call: "read backend/metrics/store.py",
    text: "class MetricsStore:\n    def write(self, device, points): ...",
    expect: /one database to back up/,
  },
  {
    name: "poetry, not pip",
    sessions: [
      ["2026-02-09", "u: install httpx", "t: Bash pip install httpx", "a: Installed.", "u: We manage dependencies with uv. Never pip install, it bypasses the lock file.", "a: Sorry, fixed with uv add httpx."],
    ],
    message: "we need tenacity for the flaky firmware server",
    call: "run pip install tenacity",
    expect: /dependencies with uv/,
  },
  {
    name: "firmware channels, amended",
    sessions: [
      ["2026-02-20", "u: how do we roll out firmware?", "a: To everyone at once so far.", "u: Firmware rollouts go to 10 % of the devices first, then to all after a day."],
      ["2026-08-03", "u: the last firmware bricked 300 devices before we noticed", "a: The first step was 10 % of the devices.", "u: From now on firmware rollouts start with 1 % and need a manual approval for each further step."],
    ],
    message: "write the rollout job for firmware 4.2",
    call: "read backend/firmware/rollout.py",
    text: "def rollout(version: str) -> None:\n    targets = select_devices()",
    expect: /start with 1 %/,
    stale: /go to 10 %/,
  },
  {
    name: "device ids",
    sessions: [
      ["2026-04-04", "u: should device ids be case sensitive?", "a: The printed labels use upper case.", "u: Device ids are stored in lower case and compared in lower case. The label is only cosmetics.", "t: Edit backend/devices/identity.py", "a: Normalized."],
    ],
    message: "import the devices of the new customer from their spreadsheet",
    call: "read backend/devices/importer.py",
    text: "def import_devices(rows):\n    for row in rows:\n        create_device(row['Device ID'])",
    expect: /stored in lower case/,
  },
  {
    name: "structured logs",
    sessions: [
      ["2026-05-11", "u: grafana cannot parse half of our log lines", "a: Some modules use print, others the logging module with their own formats.", "u: structlog everywhere, JSON, no print. The event name is the first argument.", "t: Edit backend/common/logs.py", "a: Converted."],
    ],
    message: "print the reason when an alert rule is skipped",
    call: "edit backend/alerts/evaluate.py",
    text: "print(f'skipped {rule.name}')",
    expect: /structlog everywhere/,
  },
  {
    name: "picked the second option for alerts",
    sessions: [
      ["2026-06-17", "u: customers get 200 alerts when a gateway goes down", "a: Options:\n- suppress the alerts of all devices behind a gateway that is offline\n- group alerts by gateway into one message every 10 minutes\n- let customers mute a gateway", "u: the second, and put the count into the subject", "a: Working on it."],
    ],
    message: "alerts should also go to Slack",
    call: "create backend/alerts/slack.py",
    text: "def send_alert(alert: Alert) -> None: ...",
    expect: /group alerts by gateway/,
  },
  {
    name: "agreed proposal about schema changes",
    sessions: [
      ["2026-03-19", "u: the deploy locked the readings table for four minutes", "a: Adding a column with a default rewrites the table. I recommend adding columns without a default, filling them in batches, and setting NOT NULL afterwards.", "u: agreed, let's do that", "a: I will change the migration."],
    ],
    message: "readings need a column for the signal strength",
    call: "create backend/migrations/0113_signal_strength.sql",
    text: "ALTER TABLE readings ADD COLUMN rssi int NOT NULL DEFAULT 0;",
    expect: /without a default/,
  },
  {
    name: "error codes of the CLI",
    sessions: [
      ["2026-04-26", "u: scripts cannot tell why orbitctl failed", "a: It always exits with 1.", "u: 2 for usage errors, 3 if the device is offline, 1 for the rest. Write that down somewhere.", "t: Edit cli/exit.go", "a: Done."],
    ],
    message: "orbitctl reboot should fail if the device does not answer",
    call: "read cli/exit.go",
    text: "package cli\n\nfunc Exit(err error) {\n\tos.Exit(1)\n}",
    expect: /3 if the device is offline/,
  },
  {
    name: "no mocks of time",
    sessions: [
      ["2026-05-30", "u: the scheduler tests sleep for 40 seconds", "a: They wait for real timers.", "u: Inject a clock. No time.sleep in tests, and no freezegun either."],
    ],
    message: "test that the scheduler skips a run which takes too long",
    call: "create backend/tests/test_scheduler.py",
    text: "import time\nfrom freezegun import freeze_time",
    expect: /Inject a clock/,
  },
  {
    name: "retention, amended",
    sessions: [
      ["2026-01-28", "u: the disk is full", "a: Raw readings are kept forever.", "u: Keep raw readings for 90 days, then only the hourly averages."],
      ["2026-07-09", "u: a customer needs raw data of last winter for a warranty claim", "a: Raw readings are deleted after 90 days.", "u: Ok, raise the retention of raw readings to 400 days. Disk is cheaper than that discussion."],
    ],
    message: "write the job that removes old raw readings",
    call: "read backend/readings/retention.py",
    text: "def purge(now: datetime) -> None: ...",
    expect: /400 days/,
    stale: /for 90 days/,
  },
  {
    name: "gRPC or HTTP",
    sessions: [
      ["2026-06-01", "u: internal services talk HTTP with hand-written clients, I'm tired of it", "a: gRPC would generate them, so would OpenAPI.", "u: OpenAPI with generated clients. Nobody on the team wants to debug gRPC at night.", "a: Fine."],
    ],
    message: "the billing service must ask the device service for the number of active devices",
    call: "create backend/billing/device_client.py",
    text: "import grpc\n\nclass DeviceClient: ...",
    expect: /generated clients/,
  },
  {
    name: "units",
    sessions: [
      ["2026-04-14", "u: some dashboards show Fahrenheit", "a: The value is stored as the device sends it.", "u: Convert at ingest: temperature in Kelvin, pressure in Pascal. Only the frontend converts to what the user wants."],
    ],
    message: "support the new pressure sensor",
    call: "create collector/sensors/pressure.go",
    text: "type Pressure struct {\n\tBar float64\n}",
    expect: /pressure in Pascal/,
  },
  {
    name: "feature branches",
    sessions: [
      ["2026-02-26", "u: push it", "t: Bash git push origin main", "a: Pushed to main.", "u: whoa, never push to main directly. Always a branch named after the ticket, like ORB-123, and a pull request."],
    ],
    message: "push the fix of the timezone bug",
    call: "run git push origin main",
    expect: /never push to main/,
  },
  {
    name: "charts library",
    sessions: [
      ["2026-07-01", "u: chart.js chokes on 100k points", "a: uPlot or a canvas of our own would cope.", "u: uPlot for all new charts. We do not add another chart library."],
    ],
    message: "draw the voltage of the last week as a chart",
    call: "edit frontend/src/device/VoltageChart.tsx",
    text: "import { Line } from 'recharts';",
    expect: /uPlot for all new charts/,
  },
  {
    name: "authentication of devices",
    sessions: [
      ["2026-03-27", "u: how do devices log in?", "a: With a shared key in the firmware.", "u: That ends now. Each device gets a client certificate at production, and the broker accepts nothing else.", "t: Edit broker/auth.conf", "a: Configured."],
    ],
    message: "let the test bench connect to the broker",
    call: "read broker/auth.conf",
    text: "listener 8883\nrequire_certificate true",
    expect: /client certificate/,
  },
  {
    name: "names of metrics",
    sessions: [
      ["2026-05-05", "u: prometheus has three metrics for the same thing", "a: Each service chose its own name.", "u: Metric names: orbit_<service>_<what>_<unit>, unit in plural, base units. Example: orbit_ingest_latency_seconds."],
    ],
    message: "expose the length of the queue to prometheus",
    call: "read backend/queue/metrics.py",
    text: "QUEUE_LENGTH = Gauge('queue_len', 'Length')",
    expect: /orbit_<service>_/,
  },
  {
    name: "pages of the API, amended",
    sessions: [
      ["2026-02-05", "u: limit for the list of devices?", "a: There is none.", "u: 50 devices per page in the API."],
      ["2026-06-22", "u: the mobile team says 50 devices per page means 40 requests for big sites", "a: We could allow a larger page.", "u: Allow up to 500 devices per page now, default 100."],
    ],
    message: "paginate the list of gateways like the devices",
    call: "read backend/api/gateways.py",
    text: "@router.get('/gateways')\ndef list_gateways(): ...",
    expect: /500 devices per page/,
    stale: /^50 devices per page in the API/,
  },
  {
    name: "container registry",
    sessions: [
      ["2026-08-11", "u: docker hub rate limits kill our builds", "a: We could mirror the images.", "u: All base images come from registry.orbit.internal/mirror, also in compose files. No direct pulls from docker hub."],
    ],
    message: "add redis to the compose file",
    call: "edit deploy/compose.yaml",
    text: "services:\n  redis:\n    image: redis:8",
    expect: /registry\.orbit\.internal\/mirror/,
  },
  {
    name: "rounding of the bill",
    sessions: [
      ["2026-04-30", "u: invoices show fractions of a device-month", "t: Read backend/billing/usage.py", "a: Usage is prorated by the hour.", "u: Bill by started day. A device that was online for one minute counts for that day.", "a: Changed."],
    ],
    message: "show the expected bill of this month on the dashboard",
    call: "read backend/billing/usage.py",
    text: "def usage(site: Site, month: Month) -> Decimal: ...",
    expect: /Bill by started day/,
  },
  {
    name: "soft limits",
    sessions: [
      ["2026-05-22", "u: a customer exceeded the plan and we cut off their data, they were furious", "a: The ingest refuses points above the quota.", "u: Never drop data because of a quota. Accept it, mark the site as over quota, and tell sales."],
    ],
    message: "enforce the quota of the free plan",
    call: "read collector/quota/quota.go",
    text: "func (q *Quota) Check(site string, points int) error {",
    expect: /Never drop data/,
  },
  {
    name: "frontend state",
    sessions: [
      ["2026-03-11", "u: where do you keep the selected time range?", "a: In a context.", "u: Put the time range and all filters into the URL, so that links can be shared. No context for that.", "t: Edit frontend/src/lib/useTimeRange.ts", "a: Moved."],
    ],
    message: "add a filter for the firmware version to the device table",
    call: "edit frontend/src/device/DeviceTable.tsx",
    text: "const [filters, setFilters] = useState({});",
    expect: /filters into the URL/,
  },
  {
    name: "CSV separator",
    sessions: [
      ["2026-06-09", "u: Excel in Germany opens our csv in one column", "a: It expects semicolons there.", "u: semicolon as separator in every csv download, and a BOM at the start."],
    ],
    message: "let users download the alarm history as csv",
    call: "create backend/exports/alarms.py",
    text: "import csv\n\ndef export_alarms(writer): ...",
    expect: /semicolon as separator/,
  },
  {
    name: "protocol version",
    sessions: [
      ["2026-07-23", "u: old devices crash on the new config message", "a: They do not ignore unknown fields.", "u: Protocol 2 messages only for firmware 3.0 and later, everything older gets protocol 1. Check it in protocol/negotiate.go.", "a: Added."],
    ],
    message: "send the new sampling interval to the devices",
    call: "read protocol/negotiate.go",
    text: "func Negotiate(device Device) Version {",
    expect: /firmware 3\.0 and later/,
  },
  {
    name: "dates in the UI",
    sessions: [
      ["2026-02-16", "u: is 03/04 March or April?", "a: It depends on the browser.", "u: dates in the UI are always written like 2026-04-03, no exceptions, also in emails"],
    ],
    message: "show in the UI since when a device is offline, as a date",
    call: "edit frontend/src/device/OfflineBadge.tsx",
    text: "<span>{since.toLocaleDateString()}</span>",
    expect: /always written like 2026-04-03/,
  },
  {
    name: "kernel of the collector",
    sessions: [
      ["2026-08-26", "u: the collector leaks goroutines", "a: Each connection starts two that never end.", "u: Every goroutine gets a context and is waited for in Close. I don't want go func() without an errgroup.", "t: Edit collector/server/server.go", "a: Rewritten with errgroup."],
    ],
    message: "read from the serial port in the background",
    call: "edit collector/server/serial.go",
    text: "go func() {\n\tfor { port.Read(buf) }\n}()",
    expect: /errgroup/,
  },
  {
    name: "helm, not kubectl",
    sessions: [
      ["2026-05-17", "u: who changed the replicas by hand?", "t: Bash kubectl scale deploy/ingest --replicas 6", "a: I scaled it with kubectl.", "u: No kubectl scale or edit in production please. Change the helm values and let argo do it."],
    ],
    message: "we need more ingest pods until tomorrow",
    call: "run kubectl scale deploy/ingest --replicas 8",
    expect: /helm values/,
  },
  {
    name: "map provider, amended",
    sessions: [
      ["2026-01-22", "u: which maps do we use for the site view?", "a: Google Maps is in the prototype.", "u: Mapbox for the map of sites, we have a contract."],
      ["2026-09-04", "u: mapbox tripled the price", "a: MapLibre with our own tiles is possible.", "u: Switch the map of sites from Mapbox to MapLibre with the tiles of maps.orbit.dev."],
    ],
    message: "show the gateways of a site on the map",
    call: "read frontend/src/site/SiteMap.tsx",
    text: "export function SiteMap({ site }: Props) {\n  return <Map />;\n}",
    expect: /MapLibre/,
    stale: /^Mapbox for the map/,
  },
  {
    name: "license headers",
    sessions: [
      ["2026-06-27", "u: legal wants a header in the files that we publish", "a: In all files?", "u: Only below sdk/, and just the SPDX line: SPDX-License-Identifier: Apache-2.0."],
    ],
    message: "add a retry helper to the sdk",
    call: "create sdk/python/retry.py",
    text: "def retry(action): ...",
    expect: /SPDX-License-Identifier/,
  },
  {
    name: "queue library",
    sessions: [
      ["2026-03-08", "u: celery again lost tasks at deploy", "a: The workers are killed before they acknowledge.", "u: I'm done with celery. New background tasks use the outbox table and our own worker in backend/worker, delivered at least once.", "a: OK."],
    ],
    message: "send the weekly report as a background task",
    call: "create backend/reports/weekly.py",
    text: "from celery import shared_task\n\n@shared_task\ndef weekly_report(): ...",
    expect: /outbox table/,
  },
  {
    name: "screenshots",
    sessions: [
      ["2026-07-14", "u: playwright screenshots differ between my machine and CI", "a: Fonts are rendered differently.", "u: Screenshots are only taken and compared in the docker image, run make screenshots. Do not update them locally."],
    ],
    message: "update the playwright screenshots for the new header",
    call: "run npx playwright test --update-snapshots",
    expect: /make screenshots/,
  },
  {
    name: "seconds or milliseconds",
    sessions: [
      ["2026-04-19", "u: the timestamps of gateway events are off by a factor of thousand", "a: The gateway sends milliseconds, the broker seconds.", "u: Milliseconds since epoch as int64 everywhere in protocol/, and the field name ends with _ms.", "t: Edit protocol/event.proto", "a: Renamed."],
    ],
    message: "add the time of the last reboot to the event message",
    call: "edit protocol/event.proto",
    text: "message Event {\n  string device = 1;\n}",
    expect: /Milliseconds since epoch/,
  },
  {
    name: "password hashing, amended",
    sessions: [
      ["2026-01-10", "u: what do we hash passwords with?", "a: sha256 with a salt.", "u: Use bcrypt with cost 12 for passwords."],
      ["2026-08-30", "u: the audit recommends argon2", "a: We use bcrypt with cost 12.", "u: New hashes of passwords use argon2id, 64 MB, 3 passes. Old bcrypt hashes are upgraded at login."],
    ],
    message: "let admins set an initial password for a user",
    call: "read backend/auth/passwords.py",
    text: "def hash_password(password: str) -> str: ...",
    expect: /argon2id/,
    stale: /^Use bcrypt/,
  },
  {
    name: "tests of the SDK",
    sessions: [
      ["2026-05-27", "u: the sdk broke for python 3.9 users", "a: It uses match statements.", "u: The sdk supports Python 3.9 and up until the end of 2027. The backend may use 3.13 features, the sdk not."],
    ],
    message: "parse the device state in the python sdk",
    call: "edit sdk/python/state.py",
    text: "match state:\n    case 'online': ...",
    expect: /Python 3\.9 and up/,
  },
  {
    name: "deletion of sites",
    sessions: [
      ["2026-06-13", "u: someone deleted a site with 3 years of data", "a: There is only one confirmation dialog.", "u: Deleting a site needs the name typed in, and the data is removed only after 30 days.", "t: Edit backend/sites/delete.py", "a: Implemented."],
    ],
    message: "admins want to delete many sites at once",
    call: "read backend/sites/delete.py",
    text: "def delete_site(site_id: UUID) -> None: ...",
    expect: /after 30 days/,
  },
  {
    name: "emails",
    sessions: [
      ["2026-02-12", "u: our mails land in spam", "a: They are sent from the web server.", "u: All mail goes through Postmark, sender alerts@orbit.dev. No smtplib anywhere."],
    ],
    message: "send a mail to the owner when a gateway is replaced",
    call: "edit backend/gateways/replace.py",
    text: "import smtplib\n\ndef notify(owner): ...",
    expect: /through Postmark/,
  },
  {
    name: "offline buffer",
    sessions: [
      ["2026-09-10", "u: gateways lose data when the uplink is down", "a: The buffer is in memory.", "u: buffer on disk then.", "a: How much?", "u: Two gigabytes, oldest first out, fsync every ten seconds.", "t: Edit collector/buffer/disk.go", "a: Implemented."],
    ],
    message: "report how full the offline buffer of a gateway is",
    call: "read collector/buffer/disk.go",
    text: "type DiskBuffer struct {\n\tpath string\n}",
    expect: /Two gigabytes|buffer on disk/,
  },
  {
    name: "monorepo tool",
    sessions: [
      ["2026-03-30", "u: turbo or nx for the frontend packages?", "a: Both cache, nx generates more.", "u: hm, I read a bit. Neither, plain pnpm workspaces with --filter."],
    ],
    message: "build only the frontend packages that changed in the workspace",
    call: "read frontend/pnpm-workspace.yaml",
    text: "packages:\n  - packages/*",
    expect: /plain pnpm workspaces/,
  },
  {
    name: "color of severity",
    sessions: [
      ["2026-08-19", "u: red-green blind customers cannot tell alarms from normal states", "a: The states differ only in color.", "u: Severity is shown with an icon and a text, color comes on top. Colors from frontend/src/theme/severity.ts only."],
    ],
    message: "show the severity of alarms in the site list",
    call: "edit frontend/src/site/SiteList.tsx",
    text: "<Dot color={alarm ? 'red' : 'green'} />",
    expect: /with an icon and a text/,
  },
  {
    name: "webhook retries",
    sessions: [
      ["2026-04-08", "u: a customer's webhook endpoint was down for a day and they want the events", "a: We try three times within a minute.", "u: Retry webhooks for 24 hours with growing pauses, then disable the endpoint and mail the owner.", "a: Implemented."],
    ],
    message: "customers want to resend webhooks by hand",
    call: "read backend/webhooks/deliver.py",
    text: "def deliver(event: Event, endpoint: Endpoint) -> None: ...",
    expect: /for 24 hours/,
  },
  {
    name: "branch of the firmware",
    sessions: [
      ["2026-07-18", "u: which toolchain builds the firmware?", "a: There are two in the Dockerfile.", "u: Firmware is built with zig cc, the gcc one is only for the old boards. Never mix them in one image."],
    ],
    message: "build the firmware for the new board",
    call: "read firmware/Makefile",
    text: "CC = arm-none-eabi-gcc",
    expect: /built with zig cc/,
  },
  {
    name: "read replicas",
    sessions: [
      ["2026-05-09", "u: reports slow down the dashboards", "a: Both read from the primary.", "u: Reports read from the replica, always. A delay of a minute is fine for them.", "t: Edit backend/reports/query.py", "a: Switched."],
    ],
    message: "add a report about gateway uptime",
    call: "read backend/reports/uptime.py",
    text: "def uptime_report(site: Site): ...",
    expect: /from the replica/,
  },
  {
    name: "flags of the CLI",
    sessions: [
      ["2026-06-30", "u: --verbose, -v and --debug do the same in different commands", "a: They grew over time.", "u: One flag: --log-level. -v is for the version. Deprecate the others."],
    ],
    message: "add a verbose mode to orbitctl flash",
    call: "edit cli/flash.go",
    text: "flash.Flags().BoolP(\"verbose\", \"v\", false, \"more output\")",
    expect: /--log-level/,
  },
  {
    name: "cost of queries, amended",
    sessions: [
      ["2026-03-16", "u: dashboards may load how much?", "a: There is no limit.", "u: A dashboard query may return 10,000 points at most."],
      ["2026-09-12", "u: the limit of dashboard queries makes yearly charts useless", "a: It is 10,000 points at most.", "u: No more fixed limit for dashboard queries: downsample to 2,000 points per series on the server instead."],
    ],
    message: "add a yearly view to the dashboard",
    call: "read backend/dashboards/query.py",
    text: "def run_query(query: DashboardQuery) -> Series: ...",
    expect: /downsample to 2,000/,
    stale: /10,000 points at most/,
  },
  {
    name: "secrets in CI",
    sessions: [
      ["2026-02-22", "u: there is a token in the workflow file", "a: It was added for the release.", "u: Tokens only from vault through OIDC, nothing in github secrets and nothing in the workflow."],
    ],
    message: "the release workflow needs a token for the package registry",
    call: "edit .github/workflows/release.yml",
    text: "env:\n  TOKEN: ${{ secrets.REGISTRY_TOKEN }}",
    expect: /from vault/,
  },
  {
    name: "index of readings",
    sessions: [
      ["2026-08-07", "u: the query for the last reading of a device takes seconds", "a: It sorts all readings of the device.", "u: Keep the last reading in device_state, updated by the ingest. Nobody queries readings for the latest value."],
    ],
    message: "show the latest reading of each device in the list",
    call: "read backend/devices/list.py",
    text: "select * from readings where device_id = any(:ids) order by at desc",
    expect: /device_state/,
  },
  {
    name: "animation",
    sessions: [
      ["2026-05-14", "u: the sidebar animation makes me dizzy", "a: It can be shortened or removed.", "u: respect prefers-reduced-motion everywhere and nothing longer than 150 ms"],
    ],
    message: "add an animation to the sidebar when an alarm arrives",
    call: "edit frontend/src/layout/Sidebar.tsx",
    text: "<motion.div animate={{ x: 0 }} transition={{ duration: 0.6 }}>",
    expect: /prefers-reduced-motion/,
  },
  {
    name: "error budget",
    sessions: [
      ["2026-04-22", "u: pager went off 14 times this weekend", "a: Each failed probe pages someone.", "u: Page only if the error budget of the month burns faster than 10x. The rest goes to the channel.", "t: Edit deploy/alertmanager.yaml", "a: Changed."],
    ],
    message: "add an alert for slow ingest",
    call: "edit deploy/alertmanager.yaml",
    text: "- alert: SlowIngest\n  labels:\n    severity: page",
    expect: /error budget of the month/,
  },
  // Nothing applies.
  { name: "nothing: favicon", sessions: [], message: "add a favicon", call: "read frontend/index.html", text: "<head><title>Orbit</title></head>" },
  { name: "nothing: sort imports", sessions: [], message: "sort the imports in this file", call: "read backend/common/ids.py", text: "import uuid\nimport re" },
  { name: "nothing: tags", sessions: [], message: "users want to attach free text labels to their equipment", call: "create backend/labels/labels.py", text: "class Label: ..." },
  { name: "nothing: who wrote this", sessions: [], message: "who wrote this function?", call: "run git blame backend/common/ids.py" },
  { name: "nothing: weather", sessions: [], message: "overlay the weather forecast", call: "create backend/weather/forecast.py", text: "def forecast(lat, lon): ..." },
  { name: "nothing: unit tests pass", sessions: [], message: "run the unit tests", call: "run pytest -q" },
  { name: "nothing: typo", sessions: [], message: "there is a typo in the German translation of the welcome text", call: "read frontend/src/i18n/de.json", text: "{ \"welcome\": \"Wilkommen\" }" },
  { name: "nothing: changelog", sessions: [], message: "write a changelog entry for the release", call: "read CHANGELOG.md", text: "# Changelog" },
  { name: "nothing: two factor", sessions: [], message: "offer two-factor login with an authenticator app", call: "create backend/auth/totp.py", text: "import pyotp" },
  { name: "nothing: invoice address", sessions: [], message: "customers want a second invoice address", call: "read backend/billing/address.py", text: "class Address: ..." },
  { name: "nothing: sparkline tooltip", sessions: [], message: "the tooltip is cut off at the right edge", call: "read frontend/src/lib/Tooltip.tsx", text: "export function Tooltip() {}" },
  { name: "nothing: print view", sessions: [], message: "a print stylesheet for the maintenance protocol", call: "create frontend/src/print.css", text: "@media print {}" },
  { name: "nothing: list the branches", sessions: [], message: "which branches are there", call: "run git branch -a" },
  { name: "nothing: bump go", sessions: [], message: "update the go version", call: "read go.mod", text: "module orbit.dev/collector\n\ngo 1.24" },
  { name: "nothing: onboarding", sessions: [], message: "write an onboarding page for new colleagues", call: "read docs/README.md", text: "# Docs" },
  { name: "nothing: comment", sessions: [], message: "add a comment that explains the bit shifting", call: "read firmware/src/crc.c", text: "crc = (crc << 1) ^ poly;" },
  { name: "nothing: disk usage", sessions: [], message: "how big is the repository", call: "run du -sh .git" },
  { name: "nothing: battery icon", sessions: [], message: "the battery icon is upside down", call: "read frontend/src/lib/BatteryIcon.tsx", text: "export const BatteryIcon = () => <svg />;" },
];
