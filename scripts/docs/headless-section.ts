/** The part of docs/cli.md about `-p`. A test checks the example lines. */
export const HEADLESS_SECTION = `## Scripts and CI: -p

\`-p\` prints the answer to stdout and exits. It never asks: a tool call that needs approval is denied, and the denial names the
option that would allow it. Everything except the answer (saved topics, warnings, retries, failures) goes to stderr. If the run
cannot start, for example because of invalid settings, stdout stays empty in every format.

\`\`\`sh
caliban -p "how do we deploy?"
git diff | caliban -p "review this"        # the prompt, followed by stdin
caliban -p < task.md                       # stdin only
caliban -p "fix the tests" --allow fs.write --allow 'shell.run(npm test)' --output-format json
\`\`\`

**stdin.** Files are read; a terminal and \`/dev/null\` are not. A pipe is read to its end after its first byte. caliban waits 3
seconds for that byte if there is a prompt, then continues without stdin and says so on stderr. Without a prompt it waits 30
seconds and then reports an error. Without \`-p\` and without a message, a pipe that has input right away is answered as with
\`-p\`; otherwise caliban shows the memory of this directory and what to do next.

**\`@\` and files.** A path after an \`@\` in the prompt attaches the file, directory or image, [as in a session](terminal.md#files-and-images-in-a-message);
what was attached, and why something was not, goes to stderr. Input that follows a prompt attaches nothing, because a program wrote it. If an image
cannot be sent, nothing is: the outcome is \`not-sent\` and the exit code 2. In \`stream-json\`, attachments are in the \`message\`, images without their \`data\`.

**\`--output-format text\`** prints the model's last message and nothing else. Pipes get the exact bytes; on a terminal, control
characters are escaped. A turn that failed or was interrupted prints nothing here.

**\`--output-format json\`** prints one object per message, on one line:

\`\`\`jsonl
{"type":"result","outcome":"done","text":"We deploy with pnpm ship.","session":"20261116-173355-z2mi","model":"anthropic/claude-sonnet-5-5","usage":{"inputTokens":2310,"outputTokens":41,"cacheReadTokens":2100,"cacheWriteTokens":0},"costUsd":0.00104,"turns":2,"durationMs":1840,"denials":[],"memory":{"saved":[],"deleted":[],"recalled":[]},"warnings":[]}
\`\`\`

| field | |
| --- | --- |
| \`outcome\` | \`done\`, \`interrupted\`, \`step-limit\`, \`budget\` (a budget would be exceeded), \`refused\` (the model declined), \`not-sent\` (the message has an image that cannot be sent) or \`failed\` |
| \`problem\` | What went wrong; absent when the outcome is \`done\`. |
| \`code\` | With \`failed\`: \`overflow\`, \`auth\`, \`rate-limit\`, \`overloaded\`, \`server\`, \`network\`, \`timeout\`, \`bad-request\`, \`unknown-model\`, \`cut-stream\` or \`garbage\`. |
| \`text\` | The text of the model's last message. |
| \`session\` | The id for \`--resume\`; \`null\` when the session is not stored. |
| \`costUsd\` | The cost of this message in dollars at list prices, which may be out of date; \`null\` when the price of a model is not known. |
| \`turns\` | Number of model requests. |
| \`denials\` | Tool calls that were denied: \`tool\`, \`input\`, \`reason\`. |
| \`memory\` | Topics \`saved\` and \`deleted\`, topics shown to the model with the message (\`recalled\`), and the addresses of [notes](applied-memory.md), if there were any (\`notes\`). |

**\`--output-format stream-json\`** prints one object per line as events happen. These are all of them:

\`\`\`jsonl
{"type":"init","version":"0.1.0","session":"20261116-173355-z2mi","model":"anthropic/claude-sonnet-5-5","mode":"default","tools":["Read","Bash"],"warnings":[]}
{"type":"message","message":{"role":"user","text":"what is in a.txt?"}}
{"type":"step-start","step":1}
{"type":"reasoning-delta","text":"I should read it."}
{"type":"text-delta","text":"Let me look."}
{"type":"usage","usage":{"inputTokens":2310,"outputTokens":41,"cacheReadTokens":2100,"cacheWriteTokens":0}}
{"type":"message","message":{"role":"assistant","model":"anthropic/claude-sonnet-5-5","parts":[{"type":"text","text":"Let me look."},{"type":"tool-call","id":"c1","name":"Read","input":{"file_path":"a.txt"}}]}}
{"type":"tool-call","id":"c1","name":"Read","input":{"file_path":"a.txt"}}
{"type":"tool-result","id":"c1","name":"Read","text":"1\\thello","isError":false,"data":{"path":"a.txt","lines":1,"totalLines":1},"durationMs":2}
{"type":"retry","attempt":1,"delayMs":1000,"failure":{"code":"overloaded","sentence":"The provider is overloaded.","isTransient":true}}
{"type":"notice","sentence":"memory: saved deploy (project: how we deploy)"}
{"type":"compacted","beforeTokens":170000,"afterTokens":21000,"messages":[]}
{"type":"input-error","line":3,"sentence":"stdin line 3: invalid JSON"}
{"type":"result","outcome":"done","text":"It says hello.","session":"20261116-173355-z2mi","model":"anthropic/claude-sonnet-5-5","usage":{"inputTokens":4700,"outputTokens":60,"cacheReadTokens":4400,"cacheWriteTokens":0},"costUsd":0.00164,"turns":2,"durationMs":2400,"denials":[],"memory":{"saved":[],"deleted":[],"recalled":[]},"warnings":[]}
\`\`\`

The \`data\` of a \`tool-result\` depends on the tool and may be absent. After a \`retry\`, discard the deltas since the last
\`step-start\`. A \`message\` is final; its format is that of [stored sessions](sessions.md).

**\`--input-format stream-json\`** reads one message per line from stdin, each a turn of its own:

\`\`\`jsonl
{"type":"user","text":"what is in a.txt?"}
\`\`\`

An invalid line is reported with its number and skipped, and the exit code is 2.

**Signals.** SIGINT, SIGTERM and SIGHUP end the turn: the request is canceled, processes started by tools are stopped, and the
session is complete on disk. A second signal ends the process immediately. If the reader of stdout goes away, the turn ends too,
with exit code 0.
`;
