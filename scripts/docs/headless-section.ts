/** The part of docs/cli.md about answers without a screen; the example lines are checked by a test. */
export const HEADLESS_SECTION = `## Answers without a screen

\`-p\` answers on stdout and ends. It never asks: what would need a question is refused, and the refusal names the flag that
would allow it. Everything but the answer (what was saved, warnings, retries, failures) goes to stderr. Where a run could not
even begin, as with settings that are broken, stdout stays empty in every format.

\`\`\`sh
caliban -p "how do we deploy?"
git diff | caliban -p "review this"        # the text, then what is piped in
caliban -p < task.md                       # only what is piped in
caliban -p "fix the tests" --allow fs.write --allow 'shell.run(npm test)' --output-format json
\`\`\`

**stdin.** A file is read, a terminal and \`/dev/null\` are not. A pipe is read to its end once its first byte has come; that
is waited for 3 seconds beside a text, after which the text goes alone and a line on stderr says so, and 30 seconds where
\`-p\` has no text, after which it is a mistake. Without \`-p\` and without a text, a pipe that says something at once is
answered as with \`-p\`; where nothing comes, caliban shows the memory of this directory and how to go on.

**\`--output-format text\`** prints the model's last message and nothing else. Into a pipe go its bytes; a terminal sees
control characters spelled out. A turn that failed or was interrupted prints nothing here.

**\`--output-format json\`** prints one object on one line for each message:

\`\`\`jsonl
{"type":"result","outcome":"done","text":"We deploy with pnpm ship.","session":"20261116-173355-z2mi","model":"anthropic/claude-sonnet-5-5","usage":{"inputTokens":2310,"outputTokens":41,"cacheReadTokens":2100,"cacheWriteTokens":0},"turns":2,"durationMs":1840,"denials":[],"memory":{"saved":[],"deleted":[],"recalled":[]},"warnings":[]}
\`\`\`

| field | |
| --- | --- |
| \`outcome\` | \`done\`, \`interrupted\`, \`step-limit\`, \`refused\` (the model declined) or \`failed\` |
| \`problem\` | What went wrong, in a sentence; not there when the outcome is \`done\`. |
| \`code\` | With \`failed\`: \`overflow\`, \`auth\`, \`rate-limit\`, \`overloaded\`, \`server\`, \`network\`, \`timeout\`, \`bad-request\`, \`unknown-model\`, \`cut-stream\` or \`garbage\`. |
| \`text\` | The text of the model's last message. |
| \`session\` | What \`--resume\` takes; \`null\` when nothing is kept. |
| \`turns\` | Requests to the model. |
| \`denials\` | Calls that were not run for want of permission: \`tool\`, \`input\`, \`reason\`. |
| \`memory\` | Topics that were \`saved\` and \`deleted\`, and those that were named to the model with the message (\`recalled\`, see \`memory.recall\`). |

**\`--output-format stream-json\`** prints one object a line as things happen. These are all there are:

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
{"type":"input-error","line":3,"sentence":"line 3 of stdin is no message: it is no JSON"}
{"type":"result","outcome":"done","text":"It says hello.","session":"20261116-173355-z2mi","model":"anthropic/claude-sonnet-5-5","usage":{"inputTokens":4700,"outputTokens":60,"cacheReadTokens":4400,"cacheWriteTokens":0},"turns":2,"durationMs":2400,"denials":[],"memory":{"saved":[],"deleted":[],"recalled":[]},"warnings":[]}
\`\`\`

What a \`tool-result\` has as \`data\` is the tool's own, and may be missing. After a \`retry\`, the deltas since the last \`step-start\` no longer count. A \`message\` belongs to the conversation from then on;
messages have the form in which [sessions](sessions.md) keep them.

**\`--input-format stream-json\`** takes one message a line, each a turn of its own, until stdin ends:

\`\`\`jsonl
{"type":"user","text":"what is in a.txt?"}
\`\`\`

A line that is no message is named by its number and passed over, and the process ends with 2.

**Signals.** SIGINT, SIGTERM and SIGHUP end the turn: the request is cancelled, what tools started is ended, the session is
complete on disk. A second one ends the process at once. When nobody reads stdout any more, the turn ends likewise, and the
process with 0.
`;
