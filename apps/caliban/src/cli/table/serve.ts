import { type CommandRow, JSON_OPTION, type OptionRow } from "./command-row.ts";

const STORE: OptionRow = {
  flags: "--store <directory>",
  doc: "A project whose memory it is; the current one without it (repeatable)",
  repeatable: true,
};

/** Memory for other programs. */
export const SERVE_COMMAND: CommandRow = {
  name: "serve",
  doc: "Serve memory to other programs over a REST API",
  details:
    "Serves the API of hosted memory stores on this machine until you press Ctrl-C. Each client needs a token, which `caliban serve token add` creates. Prints the address on stdout.",
  example: { command: "serve --port 8642" },
  options: [
    STORE,
    { flags: "--port <number>", doc: "Use this port; a free one without it" },
    {
      flags: "--listen <address>",
      doc: "Let other machines connect to this IP address. Requires TLS",
    },
    { flags: "--tls-cert <file>", doc: "The certificate, with its chain, as PEM" },
    { flags: "--tls-key <file>", doc: "The private key of the certificate, as PEM" },
    {
      flags: "--requests-per-second <number>",
      doc: "How many requests a client may send (default 50)",
    },
    {
      flags: "--changes-per-minute <number>",
      doc: "How many of them may change something (default 120)",
    },
    { flags: "--changes-per-hour <number>", doc: "The same for an hour (default 1000)" },
  ],
  subcommands: [
    {
      name: "token",
      operands: "[action] [name]",
      doc: "List, add and remove the tokens of clients",
      details:
        "`add` prints a new token, which is stored only as a hash, and takes --read or --write. `remove` ends a token at once, also on a running server.",
      example: { command: "serve token add ci --write" },
      options: [
        STORE,
        { flags: "--read", doc: "Let the client read" },
        { flags: "--write", doc: "Let the client read and write" },
        { flags: "--redact", doc: "Let it also erase old versions for good" },
        JSON_OPTION,
      ],
    },
  ],
};
