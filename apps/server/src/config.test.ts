import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { configurationPage } from "../testing/configuration-page.ts";
import { ConfigError, readConfig } from "./config.ts";
import { productFolder } from "./installation.ts";

const problemOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment);
    return null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Whatever is wrong is said in Russian too, with every name that the English sentence has.
    const russian = error.in("ru");
    expect(russian).toMatch(/[а-яё]/);
    expect(russian).not.toMatch(/\b(must|names|needs|goes?|is|neither)\b/);
    for (const name of error.message.match(/\b[A-Z][A-Z0-9_]{3,}\b/g) ?? []) expect(russian).toContain(name);
    return error.message;
  }
};

describe("the environment", () => {
  test("nothing set is a panel on loopback, port 3001, with its data in ./data and the machine as its server", () => {
    expect(readConfig({})).toMatchObject({
      port: 3001,
      host: "127.0.0.1",
      databaseUrl: null,
      localServer: "auto",
      clubTimeZone: null,
      sampleData: "off",
      securityGate: "on",
    });
  });

  test.each([
    ["PORT", "http"],
    ["PORT", "70000"],
    ["PORT", "3e3"],
    ["PORT", "0x50"],
    ["BACKUP_EVERY", "1e1"],
    ["BACKUP_KEEP", "0b11"],
    ["PUBLIC_URL", "https://club:secret@club.example"],
    ["TELEGRAM_API_ROOT", "https://club:secret@telegram.example"],
    ["GEO_SERVICES", "https://club:secret@geo.example/json"],
    ["TRUSTED_PROXIES", "0.0.0.0/0"],
    ["TRUSTED_PROXIES", "10.0.0.1,::/0"],
    ["TELEGRAM_WEBHOOK", "yes"],
    ["PUBLIC_URL", "club.example"],
    ["PUBLIC_URL", "https://club.example/panel"],
    ["HOST", "club.example:3001"],
    ["HOST", "http://127.0.0.1"],
    ["HOST", "300.0.0.1"],
    ["DATABASE_URL", "mysql://x/y"],
    ["DATABASE_URL", "krug"],
    ["DATABASE_URL", "postgres://"],
    ["DATABASE_URL", "postgres://krug:secret@db"],
    ["DATA_DIR", "/dev/null"],
    ["DATA_DIR", "/etc/hostname/krug"],
    ["DATA_DIR", `/tmp/${"a".repeat(300)}`],
    ["MACHINE_DIR", "/etc/hostname/krug"],
    ["BACKUP_DIR", "/etc/hostname/backups"],
    ["BACKUP_DIR", "srv/backups"],
    ["GEO_DIR", "/nowhere/geo"],
    ["GEO_DIR", "/dev/null"],
    ["AMNEZIAWG_ENGINES", "/nowhere/engines"],
    ["AMNEZIAWG_ENGINES", "/etc"],
    ["ENGINES", "/etc"],
    ["MASTER_KEY_FILE", "/etc"],
    ["MASTER_KEY_FILE", "/dev/null"],
    ["LOCAL_SERVER", "yes"],
    ["INSTALL_PACKAGES", "no"],
    ["HOST_PORTS_FOR_MEMBERS", "https"],
    ["HOST_PORTS_FOR_MEMBERS", "80,0"],
    ["HOST_PORTS_FOR_MEMBERS", "443/sctp"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "all"],
    ["SECURITY_GATE", "yes"],
    ["GEO_SERVICES", "http://geo.example/json"],
    ["GEO_SERVICES", "geo.example"],
    ["TELEGRAM_BOT_TOKEN", "not a token"],
    ["TELEGRAM_BOT_TOKEN", "123"],
    ["TELEGRAM_BOT_TOKEN", "bot:AAE"],
    ["TELEGRAM_API_ROOT", "api.telegram.org"],
    ["CLUB_TIME_ZONE", "Moscow"],
    ["METRICS_TOKEN", "fifteen-letters"],
    ["METRICS_TOKEN", "several words with spaces"],
    ["BACKUP_SFTP", "backup.example:/krug"],
    ["BACKUP_SFTP", "sftp://backup.example/krug"],
    ["BACKUP_SFTP", "sftp://club:secret@backup.example/krug"],
    ["BACKUP_SFTP", "sftp://club@backup.example"],
    ["BACKUP_SFTP", "sftp://club@backup.example:0/krug"],
    ["BACKUP_SFTP_HOST_KEY", "MD5:aa:bb"],
    ["BACKUP_SFTP_HOST_KEY", "SHA256:short"],
    ["BACKUP_SFTP_KEY_FILE", "/nowhere/key"],
    ["BACKUP_SFTP_KEY_FILE", "/etc/hostname"],
    ["BACKUP_SFTP_PASSWORD_FILE", "/dev/null"],
    ["BACKUP_S3", "s3.example.com/bucket"],
    ["BACKUP_S3", "https://s3.example.com"],
    ["BACKUP_S3", "https://id:secret@s3.example.com/bucket"],
    ["BACKUP_S3", "https://s3.example.com/bucket?key=x"],
    ["BACKUP_S3_REGION", "eu central"],
    ["BACKUP_S3_ACCESS_KEY", "two words"],
    ["BACKUP_S3_SECRET_FILE", "/nowhere/secret"],
    ["SAMPLE_DATA", "yes"],
    ["INSECURE_HTTP", "1"],
    ["LOG_LEVEL", "loud"],
  ])("a wrong %s (%s) stops the start with a sentence that names it", (name, value) => {
    expect(problemOf({ [name]: value })).toMatch(new RegExp(`^${name} must `));
  });

  test("a configured key that does not exist stops the start, and nothing is made in its place", () => {
    const problem = problemOf({ MASTER_KEY_FILE: "/nowhere/krug.key" });
    expect(problem).toMatch(/^MASTER_KEY_FILE names a file that does not exist: \/nowhere\/krug\.key\./);
    expect(problem).toContain("head -c 32 /dev/urandom | base64 > /nowhere/krug.key");
  });

  test.each([
    ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["MASTER_KEYFILE", "MASTER_KEY_FILE"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["TELEGRAM_TOKEN", "TELEGRAM_BOT_TOKEN"],
    ["CLUB_TIMEZONE", "CLUB_TIME_ZONE"],
    ["PUBLIC_ULR", "PUBLIC_URL"],
    ["public_url", "PUBLIC_URL"],
    ["LOGLEVEL", "LOG_LEVEL"],
  ])("a misspelt %s is not ignored: the start stops and names %s", (name, meant) => {
    expect(problemOf({ [name]: "x" })).toBe(`${name} is not a variable of the panel. Did you mean ${meant}?`);
  });

  test.each([" PORT", "PORT ", " DATA_DIR\t"])("a name with spaces around it, «%s», is not ignored", (name) => {
    expect(problemOf({ [name]: "3002" })).toBe(
      `«${name}» is not a variable of the panel: write ${name.trim()}= without spaces around the name.`,
    );
  });

  test("a dangling link is not a folder, and none can be made there", () => {
    const folder = mkdtempSync(join(tmpdir(), "krug-config-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    symlinkSync(join(folder, "nowhere"), join(folder, "link"));
    for (const path of [join(folder, "link"), join(folder, "link/data")])
      expect(problemOf({ DATA_DIR: path })).toMatch(/^DATA_DIR must be a folder, or a path where one can be created/);
    expect(problemOf({ DATA_DIR: join(folder, "new/data") })).toBeNull();
  });

  describe("places for backups", () => {
    const lock = { BACKUP_RECIPIENT: "age1d8wn6rr49ugc6r2yag7lzzjwexesjffd3jsfc6euhwafuyha8epqf982vg" };
    const secret = fileURLToPath(new URL("../package.json", import.meta.url));
    const sftp = {
      BACKUP_SFTP: "sftp://club@backup.example/krug",
      BACKUP_SFTP_HOST_KEY: `SHA256:${"A".repeat(43)}`,
      BACKUP_SFTP_PASSWORD_FILE: secret,
    };
    const s3 = {
      BACKUP_S3: "https://s3.example.com/bucket/club/krug/",
      BACKUP_S3_ACCESS_KEY: "AKIDEXAMPLE",
      BACKUP_S3_SECRET_FILE: secret,
    };
    const without = (all: Record<string, string>, name: string) =>
      Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));
    const placeIn = (environment: Record<string, string>) => readConfig({ ...lock, ...environment }).backupPlan?.place;

    test("an address gives the place; the default port and a trailing slash are optional", () => {
      expect(placeIn(sftp)).toMatchObject({
        kind: "sftp",
        host: "backup.example",
        port: 22,
        username: "club",
        path: "/krug",
      });
      expect(placeIn({ ...sftp, BACKUP_SFTP: "sftp://club@[::1]:2222/~/a/b/" })).toMatchObject({
        host: "::1",
        port: 2222,
        path: "a/b",
      });
      expect(placeIn({ ...sftp, BACKUP_SFTP: "sftp://club@backup.example/~" })).toMatchObject({ path: "." });
      expect(placeIn({ ...sftp, BACKUP_SFTP: "sftp://club@backup.example/" })).toMatchObject({ path: "/" });
      expect(placeIn(s3)).toMatchObject({
        kind: "s3",
        endpoint: "https://s3.example.com",
        region: "us-east-1",
        bucket: "bucket",
        prefix: "club/krug",
      });
      expect(placeIn({ ...s3, BACKUP_S3: "http://127.0.0.1:9000/bucket" })).toMatchObject({
        bucket: "bucket",
        prefix: "",
      });
    });

    test.each<[string, Record<string, string>, string]>([
      [
        "two places",
        { ...lock, ...sftp, BACKUP_DIR: "/nowhere/backups" },
        "Scheduled backups go to one place: set one of BACKUP_DIR, BACKUP_SFTP and BACKUP_S3.",
      ],
      [
        "a place without a lock",
        sftp,
        "BACKUP_DIR, BACKUP_SFTP or BACKUP_S3 needs either BACKUP_PASSPHRASE_FILE or BACKUP_RECIPIENT.",
      ],
      [
        "a lock without a place",
        lock,
        "BACKUP_PASSPHRASE_FILE and BACKUP_RECIPIENT need BACKUP_DIR, BACKUP_SFTP or BACKUP_S3.",
      ],
      [
        "no host key",
        { ...lock, ...without(sftp, "BACKUP_SFTP_HOST_KEY") },
        "BACKUP_SFTP needs BACKUP_SFTP_HOST_KEY: on that machine, ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub prints it.",
      ],
      [
        "no login",
        { ...lock, ...without(sftp, "BACKUP_SFTP_PASSWORD_FILE") },
        "BACKUP_SFTP needs either BACKUP_SFTP_KEY_FILE or BACKUP_SFTP_PASSWORD_FILE.",
      ],
      [
        "only parts of SFTP",
        without(sftp, "BACKUP_SFTP"),
        "BACKUP_SFTP_HOST_KEY, BACKUP_SFTP_KEY_FILE and BACKUP_SFTP_PASSWORD_FILE need BACKUP_SFTP.",
      ],
      [
        "no access key",
        { ...lock, ...without(s3, "BACKUP_S3_ACCESS_KEY") },
        "BACKUP_S3 needs BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_FILE.",
      ],
      [
        "no secret",
        { ...lock, ...without(s3, "BACKUP_S3_SECRET_FILE") },
        "BACKUP_S3 needs BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_FILE.",
      ],
      ["only parts of S3", without(s3, "BACKUP_S3"), "BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_FILE need BACKUP_S3."],
      [
        "plain http",
        { ...lock, ...s3, BACKUP_S3: "http://s3.example.com/bucket" },
        "BACKUP_S3 must be an https address; INSECURE_HTTP=on allows plain http beyond loopback.",
      ],
    ])("%s: the start stops with a message", (_, environment, sentence) => {
      expect(problemOf(environment)).toBe(sentence);
    });

    test("INSECURE_HTTP=on allows plain http to storage elsewhere", () => {
      const address = "http://s3.example.com/bucket";
      expect(placeIn({ ...s3, BACKUP_S3: address, INSECURE_HTTP: "on" })).toMatchObject({
        endpoint: "http://s3.example.com",
      });
    });
  });

  test("other programs' variables are ignored", () => {
    const others = [
      "HOME",
      "HOSTNAME",
      "LOGNAME",
      "PWD",
      "USER",
      "PATH",
      "TMPDIR",
      "LANG",
      "NODE_ENV",
      "XDG_DATA_DIRS",
    ];
    const services = ["INVOCATION_ID", "JOURNAL_STREAM", "LISTEN_PID", "SYSTEMD_EXEC_PID", "MEMORY_PRESSURE_WATCH"];
    const npm = ["npm_config_local_prefix", "npm_lifecycle_event", "npm_package_json", "INIT_CWD", "PGDATA", "PGHOST"];
    expect(problemOf(Object.fromEntries([...others, ...services, ...npm].map((name) => [name, "x"])))).toBeNull();
  });

  test("members reach the web ports of the machine unless another list, or none, is set", () => {
    const ports = (text?: string) =>
      readConfig(text === undefined ? {} : { HOST_PORTS_FOR_MEMBERS: text }).hostPortsForMembers.map(
        ({ protocol, port }) => `${port}/${protocol}`,
      );
    expect(ports()).toEqual(["80/tcp", "443/tcp"]);
    expect(ports("443, 443/udp")).toEqual(["443/tcp", "443/udp"]);
    expect([ports(""), ports("none")]).toEqual([[], []]);
  });

  test("the browser uses three services unless the list is set to nothing", () => {
    expect(readConfig({}).geoServices).toHaveLength(3);
    expect(readConfig({ GEO_SERVICES: "" }).geoServices).toEqual([]);
    expect(readConfig({ GEO_SERVICES: "none" }).geoServices).toEqual([]);
    expect(readConfig({ GEO_SERVICES: "https://a.example/, https://b.example/json" }).geoServices).toEqual([
      "https://a.example/",
      "https://b.example/json",
    ]);
  });

  test("a wrong database address is not repeated: it may contain a password", () => {
    expect(problemOf({ DATABASE_URL: "postgre://krug:hunter2@db/krug" })).not.toContain("hunter2");
  });

  test("a wrong bot token is not repeated", () => {
    expect(problemOf({ TELEGRAM_BOT_TOKEN: "123456:hunter 2" })).not.toContain("hunter");
  });

  test("listening beyond loopback needs an https address, or explicit consent to plain http", () => {
    expect(problemOf({ HOST: "0.0.0.0" })).toContain("PUBLIC_URL must be an https address");
    expect(problemOf({ HOST: "0.0.0.0", PUBLIC_URL: "http://club.example" })).toContain("INSECURE_HTTP=on");
    expect(problemOf({ HOST: "0.0.0.0", PUBLIC_URL: "https://club.example" })).toBeNull();
    expect(problemOf({ HOST: "0.0.0.0", INSECURE_HTTP: "on" })).toBeNull();
    for (const host of ["localhost", "::1", "127.0.0.2"]) expect(problemOf({ HOST: host })).toBeNull();
  });

  test("the first admin's name and password go together", () => {
    expect(problemOf({ ADMIN_USERNAME: "boss" })).toContain("go together");
  });
});

test("docs/configuration.md matches config.ts", async () => {
  await expect(configurationPage()).toMatchFileSnapshot(join(productFolder(), "docs", "configuration.md"));
});
