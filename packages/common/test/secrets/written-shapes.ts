import { createMadeUp } from "./random-values.ts";
import type { SecretShape } from "./token-shapes.ts";

/** Marks the position of the value in the text of a row. */
const HERE = "@@";
const MIXED = "Zk9!mPq2vLx";

/** Secrets as users write them down: in lists of variables, tables, sentences and invitations. */
export function writtenShapes(seed: number): readonly SecretShape[] {
  return [
    ...pairs(seed),
    ...linesBelow(seed),
    ...tables(seed),
    ...sentences(),
    ...codes(seed),
    ...keysWithoutFirstLine(seed),
    ...cards(),
    ...almostPlaceholders(),
  ].map(([kind, text, value]) => ({ kind, text: text.replace(HERE, () => value), value }));
}

type Row = readonly [kind: string, text: string, value: string];

function pairs(seed: number): readonly Row[] {
  const { base62, hex } = createMadeUp(seed);
  return [
    ["password", `- name: DB_PASSWORD\n  value: "${HERE}"`, MIXED],
    ["password", `env:\n  - name: DB_PASSWORD\n    value: ${HERE}`, MIXED],
    ["password", `- name: DB_PASSWORD # of staging\r\n  value: '${HERE}'`, MIXED],
    ["password", `- value: "${HERE}"\n  name: DB_PASSWORD`, MIXED],
    ["password", `{"value": "${HERE}", "name": "DB_PASSWORD"}`, MIXED],
    ["password", `{ "name": "DB_PASSWORD", "value": "${HERE}" }`, MIXED],
    ["password", `{\n  "name": "DB_PASSWORD",\n  "value": "${HERE}"\n}`, MIXED],
    ["password", `ParameterKey=DbPassword,ParameterValue=${HERE}`, MIXED],
    ["password", `set {\n  name  = "db.password"\n  value = "${HERE}"\n}`, MIXED],
    ["token", `- key: API_TOKEN\n  value: ${HERE}`, base62(32)],
    ["API key", `- name: WEATHER_API_KEY\n  value: ${HERE}`, hex(32)],
    ["secret", `- name: SESSION_SECRET\n  value: "${HERE}"`, base62(40)],
  ];
}

function linesBelow(seed: number): readonly Row[] {
  const { base62, hex } = createMadeUp(seed);
  return [
    ["password", `password:\n  ${HERE}`, MIXED],
    ["password", `db:\n  password: |\n    ${HERE}`, MIXED],
    ["password", `password: >-\r\n  "${HERE}"`, MIXED],
    ["password", `- Password (staging):\n    - ${HERE}`, MIXED],
    ["password", `The password is:\n\n    ${HERE}`, MIXED],
    ["password", `**Password:**\n\`\`\`text\n${HERE}\n\`\`\``, MIXED],
    ["API key", `apiKey:\n    ${HERE}`, hex(32)],
    ["token", `deploy token:\n\t${HERE}`, base62(32)],
  ];
}

function tables(seed: number): readonly Row[] {
  const { base62, hex } = createMadeUp(seed);
  const key = `Ab3${base62(29)}`;
  return [
    ["password", `| user | password |\n|---|---|\n| bob | ${HERE} |`, MIXED],
    ["password", `user | Passwort\n--- | :---:\nbob | \`${HERE}\``, MIXED],
    ["password", `| pwd | host |\n|---|---|\n| | a |\n| ${HERE} | b |`, MIXED],
    ["token", `| service | Token |\n|:--|--:|\n| mail | **${HERE}** |`, base62(32)],
    ["secret", `| id | Client Secret |\n|---|---|\n| 7 | ${HERE} |`, base62(32)],
    ["API key", `| service | API key (prod) |\n|---|---|\n| mail | ${HERE} |`, hex(32)],
    ["API key", `| service | Key |\n|---|---|\n| mail | ${HERE} |`, key],
    ["API key", `| service | Key |\n|---|---|\n| mail | ${HERE} |`, `4${hex(31)}`],
  ];
}

function sentences(): readonly Row[] {
  return [
    ["password", `Log in as root (password ${HERE}).`, "Zk9mPq2vLx"],
    ["password", `pw ${HERE}`, MIXED],
    ["password", `user root, pass: ${HERE}, port 22`, MIXED],
    ["password", `db password ${HERE}, expires in May`, MIXED],
    ["password", `The password was changed to ${HERE}.`, "Zk9mPq2vLx"],
    ["password", `use "${HERE}" as the password`, MIXED],
    ["password", `Use \`${HERE}\` as admin password for staging.`, "Zk9mPq2vLx"],
    ["password", `${HERE} is the root password`, MIXED],
    ["password", `**${HERE}** was our old Wi-Fi password.`, MIXED],
    ["password", `db-7: ${HERE} (root password)`, MIXED],
    ["password", `Das Passwort lautet ${HERE}`, MIXED],
    ["password", `Das Kennwort ist jetzt ${HERE}.`, MIXED],
    ["password", `${HERE} ist das Root-Passwort.`, MIXED],
    ["password", `mot de passe : ${HERE}`, MIXED],
    ["password", `Le mot de passe est « ${HERE} »`, MIXED],
    ["password", `„${HERE}“ ist das Passwort für staging`, MIXED],
    ["password", `mdp ${HERE}`, MIXED],
    ["password", `contraseña: ${HERE}`, MIXED],
    ["password", `La contrasen\u0303a es ${HERE}.`, MIXED],
    ["password", `${HERE} es la contraseña de root`, MIXED],
    ["password", `Zoom passcode: ${HERE}`, "8Gt5Zq"],
    ["password", `Meeting ID: 849 1234 5678\nPasscode: ${HERE}`, "849207"],
  ];
}

function codes(seed: number): readonly Row[] {
  const { hex, base62 } = createMadeUp(seed);
  const lines = "a1b2c-d3e4f\n- 0a9b8-c7d6e\n- f1e2d-3c4b5";
  const vault = ["s", ".", "Gk3", base62(21)].join("");
  return [
    ["Rails master key", `master.key is ${HERE}`, `4f9c${hex(28)}`],
    ["Rails master key", `config/master.key: \`${HERE}\``, `4f9c${hex(28)}`],
    ["Rails master key", `$ cat config/master.key\n${HERE}`, `4f9c${hex(28)}`],
    ["recovery codes", `recovery codes: ${HERE}`, "a1b2c-d3e4f 0a9b8-c7d6e"],
    ["recovery codes", `GitHub backup codes of bob:\n\n- ${HERE}`, lines],
    [
      "recovery codes",
      `Recovery codes:\n\`\`\`\n${HERE}\n\`\`\``,
      "a1b2c-d3e4f\nabcde-fghij\n0a9b8-c7d6e",
    ],
    ["recovery codes", `"backup_codes": ["${HERE}"]`, 'a1b2c-d3e4f", "0a9b8-c7d6e'],
    ["recovery codes", `Google backup codes: ${HERE}`, "4829 1037, 5521 9083, 1192 3384"],
    ["TOTP seed", `totp secret: ${HERE}`, "JBSW Y3DP EHPK 3PXP"],
    ["TOTP seed", `2FA of bob is ${HERE}`, "jbsw y3dp ehpk 3pxp q7rs"],
    ["TOTP seed", `Authenticator: ${HERE}`, "JBSW-Y3DP-EHPK-3PXP"],
    ["TOTP seed", `otp ${HERE}`, "JBSWY3DPEHPK3PXP"],
    ["Vault token", `VAULT_TOKEN=${HERE}`, vault],
    ["Vault token", `vault login ${HERE}`, vault],
    ["Vault token", `The root token: \`${HERE}\`.`, vault],
  ];
}

function keysWithoutFirstLine(seed: number): readonly Row[] {
  const { base64, base62 } = createMadeUp(seed);
  const end = (label: string): string => ["-----", "END ", label, "-----"].join("");
  const body = (lineEnd: string): string =>
    [base64(64), base64(64), `${base62(22)}==`].join(lineEnd);
  return [
    ["private key", `The rest of it:\n${HERE}\n${end("PRIVATE KEY")}`, body("\n")],
    ["private key", `The rest of it:\r\n${HERE}\r\n${end("RSA PRIVATE KEY")}`, body("\r\n")],
    ["private key", `> It ends so:\n> ${HERE}\n> ${end("OPENSSH PRIVATE KEY")}`, body("\n> ")],
    ["private key", `key = "${HERE}\\n${end("EC PRIVATE KEY")}\\n"`, body("\\n")],
    ["private key", `key: |\n    ${HERE}\n    ${end("PRIVATE KEY")}`, body("\n    ")],
  ];
}

/** Invented numbers with a valid check digit. */
function cards(): readonly Row[] {
  return [
    ["payment card number", `Visa ${HERE} exp 12/27`, ["4539", "1488", "0343", "6467"].join(" ")],
    ["payment card number", HERE, ["4929", "7226", "5379", "7141"].join("-")],
    ["payment card number", `pay with ${HERE}, please`, ["45391488", "03436467"].join("")],
    ["payment card number", `${HERE} 12/27`, ["4539", "1488", "0343", "6467", "123"].join(" ")],
    ["payment card number", `Mastercard: ${HERE}`, ["5425", "2334", "3010", "9903"].join(" ")],
    ["payment card number", `card_number=${HERE}`, ["22229", "87654", "321096"].join("")],
    ["payment card number", `Amex ${HERE}`, ["3759", "876543", "21004"].join(" ")],
    ["payment card number", `| bob | ${HERE} |`, ["6011", "5564", "4857", "8943"].join(" ")],
    ["payment card number", `my visa is ${HERE}`, ["453914", "8803433"].join("")],
  ];
}

function almostPlaceholders(): readonly Row[] {
  const stripe = ["sk", "_live_", "4eCxxxxx39HqLyjWDarjtT1zdp7dc"].join("");
  const github = ["gh", "p_", "exampleAb3dEf6hIj9lMn2pQr5tUv8xYz1Bc4De7"].join("");
  return [
    ["password", `password=${HERE}`, "example!Zk9mPq2vLx77"],
    ["password", `password: "${HERE}"`, "Zk9mPq2vLx***77"],
    ["password in a URL", `postgres://app:${HERE}@db/app`, "placeholder9fQ2mZx7"],
    ["Stripe key", `stripe: ${HERE}`, stripe],
    ["GitHub token", `github: ${HERE}`, github],
    ["API key", `API_KEY=${HERE}`, "your-4f9c1e2ab07d4c55b1de90aa"],
    [
      "recovery phrase",
      `seed phrase: ${HERE}`,
      "ribbon velvet example lantern meadow pigeon orbit walnut tunnel saddle fabric glacier",
    ],
  ];
}
