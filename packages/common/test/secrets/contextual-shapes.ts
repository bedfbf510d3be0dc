import { createMadeUp } from "./random-values.ts";
import type { SecretShape } from "./token-shapes.ts";

/** Marks the position of the value in the text of a row. */
const HERE = "@@";

/** Secrets that are recognized by their context: keys between two lines, URLs, headers, and values with a name. */
export function contextualShapes(seed: number): readonly SecretShape[] {
  return [...privateKeys(seed), ...contexts(seed), ...assignments(seed)].map(
    ([kind, text, value]) => ({ kind, text: text.replace(HERE, () => value), value }),
  );
}

type Row = readonly [kind: string, text: string, value: string];

function privateKeys(seed: number): readonly Row[] {
  const { base64 } = createMadeUp(seed);
  const body = (lineEnd: string): string => [base64(64), base64(64), base64(40)].join(lineEnd);
  const pem = (label: string, lineEnd: string, header = ""): string =>
    [
      "-----",
      "BEGIN ",
      label,
      "-----",
      lineEnd,
      header,
      HERE,
      lineEnd,
      "-----",
      "END ",
      label,
      "-----",
    ].join("");
  return [
    ["private key", pem("PRIVATE KEY", "\n"), body("\n")],
    ["private key", pem("RSA PRIVATE KEY", "\n"), body("\n")],
    ["private key", pem("EC PRIVATE KEY", "\n"), body("\n")],
    ["private key", pem("OPENSSH PRIVATE KEY", "\r\n"), body("\r\n")],
    ["private key", pem("ENCRYPTED PRIVATE KEY", "\n"), body("\n")],
    ["private key", pem("DSA PRIVATE KEY", "\n", "Proc-Type: 4,ENCRYPTED\n\n"), body("\n")],
    ["private key", pem("PGP PRIVATE KEY BLOCK", "\n", "Version: GnuPG v2\n\n"), body("\n")],
    ["private key", `{"private_key": "${pem("PRIVATE KEY", "\\n")}\\n"}`, body("\\n")],
    ["private key", `key: |\n    ${pem("PRIVATE KEY", "\n    ")}`, body("\n    ")],
    // Truncated in the middle.
    ["private key", ["-----", "BEGIN ", "PRIVATE KEY", "-----\n", HERE].join(""), body("\n")],
    [
      "private key",
      ["-----", "BEGIN ", "RSA PRIVATE KEY", "-----\nProc-Type: 4,ENCRYPTED\n\n", HERE].join(""),
      body("\n"),
    ],
    ["private key", `Private-Lines: 3\n${HERE}`, body("\n")],
    [
      "private key in Base64",
      `client-key-data: ${HERE}`,
      btoa(pem("RSA PRIVATE KEY", "\n").replace(HERE, body("\n"))),
    ],
  ];
}

function contexts(seed: number): readonly Row[] {
  const { hex, lower, base62, base64, base64Url } = createMadeUp(seed);
  const basic = btoa("deploy:hunter2hunter2");
  return [
    ["password in a URL", `postgres://app:${HERE}@db.internal:5432/app`, "hunter2hunter2"],
    ["password in a URL", `postgresql+asyncpg://app:${HERE}@localhost/app`, "tr0ub4dor"],
    ["password in a URL", `mongodb+srv://root:${HERE}@cluster0.ab1cd.mongodb.net`, base62(16)],
    ["password in a URL", `redis://:${HERE}@cache:6379/0`, base62(20)],
    ["password in a URL", `amqps://worker:${HERE}@mq.internal//`, "p@ss@w0rd77"],
    ["password in a URL", `git clone https://bob:${HERE}@git.internal/x.git`, base62(20)],
    ["password in a URL", `jdbc:mysql://root:${HERE}@10.0.0.5:3306/shop`, "Winter#2024"],
    ["password in a URL", `HTTPS_PROXY=http://me:${HERE}@proxy.corp:3128`, "tiger77tiger"],
    ["GitHub token", `https://${HERE}:x-oauth-basic@github.com/me/x.git`, hex(40)],
    ["Authorization header", `Authorization: Bearer ${HERE}`, base64Url(43)],
    ["Authorization header", `curl -H "Authorization: token ${HERE}" https://api.x.org`, hex(40)],
    ["Authorization header", `  "Authorization": "Bot ${HERE}",`, base62(32)],
    ["Authorization header", `headers.set('Authorization', 'Bearer ${HERE}')`, base62(40)],
    ["bearer token", `send it as bearer ${HERE}`, base62(32)],
    ["Basic credentials", `Authorization: Basic ${HERE}`, basic],
    ["Basic credentials", `"auths": { "ghcr.io": { "auth": "${HERE}" } }`, basic],
    ["Basic credentials", `//npm.corp/:_auth=${HERE}`, basic],
    ["AWS secret access key", `aws_secret_access_key = ${HERE}`, base64(40)],
    ["AWS secret access key", `export AWS_SECRET_ACCESS_KEY="${HERE}"`, base64(40)],
    ["AWS secret access key", `"SecretAccessKey": "${HERE}",`, base64(40)],
    [
      "Azure storage key",
      `AccountName=shop;AccountKey=${HERE};EndpointSuffix=x`,
      `${base64(86)}==`,
    ],
    ["Azure storage key", `SharedAccessKeyName=root;SharedAccessKey=${HERE}`, `${base64(43)}=`],
    ["signed URL", `https://x.blob.core.windows.net/a?se=2030&sig=${HERE}`, `${base62(43)}%3D`],
    [
      "npm token",
      `//registry.npmjs.org/:_authToken=${HERE}`,
      "0f8fad5b-d9cb-469f-a165-70867728950e",
    ],
    ["password", `machine git.corp login bob password ${HERE}`, "hunter2hunter2"],
    ["password", `machine git.corp\n  login bob\n  password ${HERE}`, "hunter2hunter2"],
    ["password", `db.internal:5432:shop:app:${HERE}`, "hunter2hunter2"],
    ["password", `curl -u admin:${HERE} https://x.org`, "hunter2hunter2"],
    ["password", `mysql -h db -u root -p${HERE} shop`, "S3cretPw9"],
    ["password", `sshpass -p '${HERE}' ssh root@10.0.0.1`, "S3cretPw9"],
    ["password", `CREATE USER app IDENTIFIED BY '${HERE}';`, "hunter2hunter2"],
    ["password", `smtp_password = "${HERE}"`, "qzrw kdlp mvty hbxn"],
    ["session cookie", `Cookie: theme=dark; sessionid=${HERE}`, lower(32)],
    [
      "session cookie",
      `Set-Cookie: connect.sid=${HERE}; Path=/`,
      `s%3A${base62(32)}.${base62(43)}`,
    ],
    [
      "recovery phrase",
      `The seed phrase is ${HERE}.`,
      "ribbon velvet copper lantern meadow pigeon orbit walnut tunnel saddle fabric glacier",
    ],
  ];
}

function assignments(seed: number): readonly Row[] {
  const { hex, base62, base64Url, uuid } = createMadeUp(seed);
  return [
    ["password", `password = "${HERE}"`, "hunter2hunter2"],
    ["password", `password = "${HERE}"`, "correcthorsebatterystaple"],
    ["password", `password='${HERE}'`, "hunter2"],
    ["password", `password: ${HERE}`, "hunter2hunter2"],
    ["password", `DB_PASSWORD=${HERE}`, "Winter2024"],
    ["password", `export PGPASSWORD=${HERE}`, "x9!kQ2zz"],
    ["password", `SMTP_PASS=${HERE}`, "hunter2hunter2"],
    ["password", `    "password": "${HERE}",`, "Tr0ub4dor&3"],
    ["password", String.raw`{\"user\":\"bob\",\"password\":\"${HERE}\"}`, "hunter2hunter2"],
    ["password", `{"type":"password","password":"${HERE}"}`, "hunter2hunter2"],
    ["password", `$config['password'] = '${HERE}';`, "tr0ub4dor&3"],
    ["password", `define('DB_PASSWORD', '${HERE}');`, "hunter2hunter2"],
    ["password", `props.setProperty("password", "${HERE}");`, "hunter2hunter2"],
    ["password", `password: str = "${HERE}"`, "hunter2hunter2"],
    ["password", `const password: string = "${HERE}";`, "hunter2hunter2"],
    ["password", `  <password>${HERE}</password>`, "hunter2hunter2"],
    ["password", `Server=db;User Id=sa;Password=${HERE};Encrypt=true`, "Str0ng!Pass9"],
    ["password", `Server=db;Uid=sa;Pwd=${HERE};`, "Str0ng!Pass9"],
    ["password", `ALTER ROLE app WITH PASSWORD '${HERE}';`, "hunter2hunter2"],
    ["password", `tool login --user bob --password ${HERE} --force`, "hunter2hunter2"],
    ["password", `| staging | password | ${HERE} |`, "hunter2hunter2"],
    ["password", `**Password:** ${HERE}`, "hunter2hunter2"],
    ["password", `- Password: \`${HERE}\``, "hunter2hunter2"],
    ["password", `The staging password is \`${HERE}\`.`, "hunter2hunter2"],
    ["password", `The password for the staging database is ${HERE}.`, "hunter2hunter2"],
    ["password", `password for staging: ${HERE}`, "hunter2hunter2"],
    ["password", `Password (staging): ${HERE}`, "hunter2hunter2"],
    ["password", `admin password → ${HERE}`, "Gr4f4naAdm!n"],
    ["password", `The wifi password is ${HERE}.`, "BlueElephant77"],
    ["password", `Passwort: ${HERE}`, "Sommer2023!"],
    ["password", `log in as bob with the password \`${HERE}\``, "hunter2hunter2"],
    ["password", `ｐａｓｓｗｏｒｄ：${HERE}`, "hunter2hunter2"],
    ["password", `if (password === "${HERE}") return true;`, "hunter2hunter2"],
    ["password", `wifi psk="${HERE}"`, "hunter2hunter2"],
    ["API key", `api_key: ${HERE}`, hex(32)],
    ["API key", `apiKey: "${HERE}",`, base62(32)],
    ["API key", `X-Api-Key: ${HERE}`, base62(40)],
    ["API key", `API key: ${HERE}`, hex(32)],
    ["API key", `The API key of the weather service is ${HERE}.`, hex(32)],
    ["API key", `<add key="ApiKey" value="${HERE}" />`, hex(32)],
    ["API key", `HEROKU_API_KEY=${HERE}`, uuid()],
    ["API key", `SECRET_KEY = 'django-insecure-${HERE}'`, "k3z9q!v0x#77w2p5"],
    ["API key", `https://api.x.org/v1?api_key=${HERE}&units=metric`, hex(32)],
    ["API key", `APP_KEY=base64:${HERE}`, `${base62(43)}=`],
    ["secret", `client_secret = "${HERE}"`, base64Url(40)],
    ["secret", `JWT_SECRET=${HERE}`, base62(40)],
    ["secret", `"clientSecret" => '${HERE}',`, base62(40)],
    ["API key", `secret_key_base: ${HERE}`, hex(128)],
    ["secret", `process.env.SESSION_SECRET ?? "${HERE}"`, base62(32)],
    ["secret", `PrivateKey = ${HERE}`, `${base62(43)}=`],
    ["wallet key", `private_key = "${HERE}"`, `0x${hex(64)}`],
    ["token", `token = "${HERE}"`, base62(40)],
    ["token", `let token: &str = "${HERE}";`, hex(40)],
    ["token", `    token: ${HERE}`, base62(64)],
    ["token", `https://x.org/cb?access_token=${HERE}&state=1`, base64Url(43)],
    ["token", `VERCEL_TOKEN=${HERE}`, base62(24)],
    ["token", `kubectl --token ${HERE} get pods`, base62(48)],
    ["token", `The deploy token is ${HERE}`, base62(32)],
    ["token", `token := os.Getenv("TOKEN"); token = "${HERE}"`, hex(32)],
  ];
}
