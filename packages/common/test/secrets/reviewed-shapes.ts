import { createMadeUp } from "./random-values.ts";
import { expandForm } from "./expand-form.ts";

/** A shape that an attacker found to be missed: what it is, the text, and the part that must be redacted. */
export interface ReviewedShape {
  readonly name: string;
  readonly text: string;
  readonly value: string;
}

const PASSWORD = "Zk9!mPq2vLx";
const WEAK = "hunter2";

/** The 60 shapes that a review found to be missed, some in several spellings. */
export function reviewedShapes(seed: number): readonly ReviewedShape[] {
  return [
    ...encoded(seed),
    ...split(seed),
    ...keys(seed),
    ...hashes(seed),
    ...contexts(),
    ...vendors(seed),
  ].map(([name, text, value]) => ({
    name,
    text: text.replaceAll("@@", () => value),
    value,
  }));
}

type Row = readonly [name: string, text: string, value: string];

function encoded(seed: number): readonly Row[] {
  const { base62, base64 } = createMadeUp(seed);
  const token = ["gh", "p_", base62(36)].join("");
  const awsFile = `[default]\naws_access_key_id = ${["AK", "IA"].join("")}7Q2ZRTLMZ9K4WLXB\naws_secret_access_key = ${base64(40)}\n`;
  const docker = JSON.stringify({ auths: { "ghcr.io": { auth: btoa(`deploy:${base62(20)}`) } } });
  const wrapped = btoa(awsFile).replaceAll(/.{76}/g, "$&\n").trimEnd();
  return [
    ["dockerconfigjson", ".dockerconfigjson: @@", btoa(docker)],
    ["token in Base64", "echo @@ | base64 -d", btoa(token)],
    ["token in Base64 with a line end", "data: @@", btoa(`${token}\n`)],
    ["AWS file in Base64", "credentials: @@", btoa(awsFile)],
    ["AWS file in wrapped Base64", "$ base64 ~/.aws/credentials\n@@", wrapped],
    ["token with HTML entities", "<td>@@</td>", entities(token)],
    ["password with HTML entities", "password&#58; &quot;@@&quot;", PASSWORD],
    ["encoded URI", "url=postgres%3A%2F%2Fapp%3A@@%40db%2Fapp&x=1", PASSWORD],
    ["token in hex", "payload @@", toHex(token)],
    ["token in hex with prefix", "payload @@", `0x${toHex(token)}`],
  ];
}

function split(seed: number): readonly Row[] {
  const { base62 } = createMadeUp(seed);
  const [first, second] = [["gh", "p_", base62(16)].join(""), base62(20)];
  return [
    ["token over two lines", "use this:\n@@\nand nothing else", `${first}\n${second}`],
    ["token over two indented lines", "  token:\n    @@", `${first}\n    ${second}`],
    ["token over two quoted lines", "> @@", `${first}\n> ${second}`],
    ["token split by a backslash", "export TOKEN=@@", `${first}\\\n${second}`],
    ["token in a continued string", 'TOKEN = "@@"', `${first}\\\n    ${second}`],
    ["token split by +", "const token = '@@';", `${first}' + '${second}`],
    ["token split by + over lines", 'token = "@@"', `${first}" +\n    "${second}`],
    ["password split by +", 'password = "@@"', `Zk9!mP" + "q2vLx77`],
  ];
}

function keys(seed: number): readonly Row[] {
  const { hex, base58, base64Url, bytes } = createMadeUp(seed);
  const openssh = lines(concat(ascii("openssh-key-v1\0\0\0\0\u0004none"), bytes(300)), 70);
  const pkcs8 = lines(
    concat(fromHex("308204be020100300d06092a864886f70d0101010500048204a8"), bytes(1192)),
    64,
  );
  const ed25519 = lines(concat(fromHex("302e020100300506032b657004220420"), bytes(32)), 64);
  const ssh2 = [
    "---- BEGIN SSH2 ENCRYPTED ",
    "PRIVATE KEY ----\n@@\n---- END SSH2 ENCRYPTED ",
    "PRIVATE KEY ----",
  ].join("");
  const jwk = `{"kty":"RSA","e":"AQAB","n":"${base64Url(342)}","d":"@@"}`;
  return [
    ["OpenSSH key without header", "the key:\n@@\n", openssh],
    ["PKCS8 key without header", "the key:\n@@\n", pkcs8],
    ["Ed25519 key without header", "key @@", ed25519],
    ["SSH2 key", ssh2, lines(bytes(240), 70)],
    ["private JWK", jwk, base64Url(342)],
    ["private EC JWK", '{"kty": "EC", "crv": "P-256", "d": "@@"}', base64Url(43)],
    ["Ethereum key", "eth deployer key: @@", `0x${hex(64)}`],
    ["Ethereum wallet key", "wallet private key @@", hex(64)],
    ["WIF", "wallet @@", `K${base58(51)}`],
    ["xprv", "@@", ["xp", "rv", base58(107)].join("")],
  ];
}

function hashes(seed: number): readonly Row[] {
  const { base62 } = createMadeUp(seed);
  return [
    ["bcrypt htpasswd", "admin:@@", `$2y$05$${base62(53)}`],
    ["shadow", "root:@@:19700:0:99999:7:::", `$6$${base62(16)}$${base62(86)}`],
  ];
}

function contexts(): readonly Row[] {
  const variable = 'variable "db_password" {\n  type    = string\n  default = "@@"\n}';
  return [
    ["Go dbPass", 'dbPass := "@@"', "hunter2hunter2"],
    ["userPass", 'const userPass = "@@";', PASSWORD],
    ["dbPwd", 'dbPwd: "@@"', PASSWORD],
    ["login with a slash", "login: admin / @@", PASSWORD],
    ["login with a weak password", "Login: admin / @@", WEAK],
    ["ConvertTo-SecureString", 'ConvertTo-SecureString "@@" -AsPlainText -Force', "Winter2024!"],
    [
      "ConvertTo-SecureString with an option",
      "ConvertTo-SecureString -String '@@' -AsPlainText",
      PASSWORD,
    ],
    ["Terraform default", variable, PASSWORD],
    ["PIN", "PIN: @@", "4821"],
    ["PIN in a sentence", "The PIN of the alarm is @@.", "739164"],
    ["passphrase of words", "passphrase: @@", "ribbon velvet copper lantern"],
    ["passphrase of words with dashes", 'passphrase = "@@"', "ribbon-velvet-copper-lantern"],
    ["log in with", "Log in with admin and @@.", PASSWORD],
    ["log in with a weak password", "log in with bob and @@", WEAK],
    ["creds with a slash", "creds: admin/@@", WEAK],
    ["creds with a colon", "staging creds: admin:@@", PASSWORD],
    ["credentials are", "The credentials are admin:@@", "hunter2hunter2"],
    ["Chinese", "密码：@@", PASSWORD],
    ["Chinese without a colon", "数据库密码是@@。", "hunter2hunter2"],
    ["Japanese", "パスワード: @@", PASSWORD],
    ["Japanese in a sentence", "パスワードは@@です。", "hunter2hunter2"],
    ["Russian", "пароль: @@", PASSWORD],
    ["Russian in a sentence", "Пароль от базы — @@", PASSWORD],
    ["Korean", "비밀번호: @@", PASSWORD],
    ["Korean in a sentence", "비밀번호는 @@ 입니다", "hunter2hunter2"],
    ["heading", "## Password\n\n@@\n", PASSWORD],
    ["heading with code", "### DB password\n`@@`", "hunter2hunter2"],
    ["nested list", "- staging\n  - password\n    - @@", PASSWORD],
    ["nested list with a colon", "* db\n  * password:\n    * `@@`", PASSWORD],
    ["setPassword", 'user.setPassword("@@");', "hunter2hunter2"],
    ["login call", 'login("admin", "@@")', WEAK],
    ["docker login -p", "docker login -u bob -p @@ ghcr.io", PASSWORD],
    ["--password-stdin", 'echo "@@" | docker login -u bob --password-stdin', "hunter2hunter2"],
    ["--password-stdin with a here-string", 'docker login --password-stdin <<< "@@"', PASSWORD],
  ];
}

function vendors(seed: number): readonly Row[] {
  const forms: readonly (readonly [name: string, form: string])[] = [
    ["Azure DevOps PAT", "{base62:76}AZDO{base62:4}"],
    ["Azure DevOps PAT, base 32", "Azure DevOps PAT: [[{lower32:52}]]"],
    ["Gemini", "AQ.Ab8{url:47}"],
    ["OpenAI session", "sess-{base62:40}"],
    ["Azure OpenAI", "{base62:52}JQQJ99BFAC{base62:5}XJ3w3AAABACOG{base62:4}"],
    ["Azure OpenAI, 128 bits", "Azure OpenAI key [[{hex:32}]]"],
    ["Langfuse", "sk-lf-{uuid}"],
    ["Fireworks", "fw_{base62:24}"],
    ["Cerebras", "csk-{lower:48}"],
    ["Brave", "BSA{url:28}"],
    ["Firecrawl", "fc-{hex:32}"],
    ["Jina", "jina_{hex:32}{url:28}"],
    ["Voyage", "pa-{url:43}"],
    ["Helicone", "sk-helicone-{lower:7}-{lower:7}-{lower:7}-{lower:7}"],
    ["Browserbase", "bb_live_{url:27}"],
    ["E2B", "e2b_{hex:40}"],
    ["PostHog", "phx_{base62:43}"],
    ["Razorpay", "rzp_live_{base62:14}"],
    ["Modal id", "ak-{base62:22}"],
    ["Modal secret", "as-{base62:22}"],
    ["Deno", "ddp_{base62:36}"],
    ["Google HMAC", "GOOG1E{base32:55}"],
    ["hex token in a git URL", "https://[[{hex:40}]]@github.com/me/app.git"],
  ];
  return forms.map(([name, form]) => {
    const { text, value } = expandForm(form, seed);
    return [name, text, value];
  });
}

function entities(text: string): string {
  return Array.from(text, (character) => `&#${character.codePointAt(0) ?? 0};`).join("");
}

function toHex(text: string): string {
  return Array.from(ascii(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

/** Base64 in lines, as in a PEM file. */
function lines(data: Uint8Array, width: number): string {
  const text = btoa(String.fromCharCode(...data));
  return text.match(new RegExp(`.{1,${width}}`, "g"))?.join("\n") ?? "";
}
