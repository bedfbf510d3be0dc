import { isReference } from "../values/reference.ts";
import { isPlaceholderPassword } from "../values/placeholder.ts";
import type { SecretPattern } from "./find-by-patterns.ts";

const VALUE = String.raw`["']?(?<value>[^\s"'|<>]{4,})`;

/** Where a command takes a password, up to the value. A name such as `--password` needs no row. */
const OPTIONS: readonly string[] = [
  String.raw`sshpass[ \t]{1,4}-p[ \t]{0,4}`,
  String.raw`redis-cli[^\n]{0,80} -a[ \t]{1,4}`,
  String.raw`(?:mysql|mysqldump|mysqladmin|mariadb)[ \t][^\n]{0,120}(?<=[ \t])-p`,
  String.raw`(?:docker|podman|nerdctl|buildah|skopeo|oras|crane|helm|az|oc|cf)[ \t][^\n|]{0,40}login[ \t][^\n|]{0,120}(?<=[ \t])-p[ \t=]{1,4}`,
  String.raw`(?:mongo|mongosh|mongodump|mongorestore)[ \t][^\n|]{0,120}(?<=[ \t])-p[ \t=]{1,4}`,
  String.raw`(?:sqlcmd|bcp|zip)[ \t][^\n|]{0,120}(?<=[ \t])-P[ \t]{0,4}`,
  String.raw`(?:ldapsearch|ldapmodify|ldapadd|ldapwhoami)[ \t][^\n|]{0,120}(?<=[ \t])-w[ \t]{1,4}`,
  String.raw`htpasswd[ \t][^\n|]{0,20}-\w{0,6}b\w{0,6}[ \t]{1,4}[^\s|]{1,120}[ \t]{1,4}[^\s|]{1,64}[ \t]{1,4}`,
  String.raw`openssl[ \t][^\n|]{0,160}-pass(?:in|out)?[ \t]{1,4}pass:`,
  String.raw`xfreerdp[ \t][^\n|]{0,120}(?<=[ \t])/p:`,
  String.raw`smbclient[ \t][^\n|]{0,120}-U[ \t]{1,4}["']?[\w\\.-]{1,64}%`,
  String.raw`ConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?`,
];

/** A password that a command reads from its standard input. */
const STDIN: readonly string[] = [
  String.raw`(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4}|["']%s(?:\\n)?["'][ \t]{1,4})?${VALUE}["']?[ \t]{0,4}\|[^\n|]{0,160}(?:--password-stdin|--with-token|--token-stdin|sudo[ \t]{1,4}-S|passwd[ \t]{1,4}--stdin)`,
  String.raw`(?:--password-stdin|--with-token|sudo[ \t]{1,4}-S)[^\n|]{0,80}<<<[ \t]{0,4}${VALUE}`,
];

/** Passwords on a command line. */
export const COMMAND_PATTERNS: readonly SecretPattern[] = [
  ...OPTIONS.map((option) => String.raw`(?<![\w-])${option}${VALUE}`),
  ...STDIN,
].map((source) => ({
  kind: "password",
  pattern: new RegExp(source, "dg"),
  isSecret: (value) =>
    !isReference(value) && !isPlaceholderPassword(value) && /\d|[^\w.:/-]/.test(value),
}));
