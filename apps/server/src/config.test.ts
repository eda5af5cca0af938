import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { configurationPage } from "./dev/configuration-page.ts";
import { productFolder } from "./installation.ts";

const problemOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment);
    return null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
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
    ["PUBLIC_URL", "club.example"],
    ["PUBLIC_URL", "https://club.example/panel"],
    ["DATABASE_URL", "mysql://x/y"],
    ["LOCAL_SERVER", "yes"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "all"],
    ["SECURITY_GATE", "yes"],
    ["GEO_SERVICES", "http://geo.example/json"],
    ["GEO_SERVICES", "geo.example"],
    ["TELEGRAM_BOT_TOKEN", "not a token"],
    ["TELEGRAM_API_ROOT", "api.telegram.org"],
    ["CLUB_TIME_ZONE", "Moscow"],
    ["SAMPLE_DATA", "yes"],
    ["INSECURE_HTTP", "1"],
    ["LOG_LEVEL", "loud"],
  ])("a wrong %s (%s) stops the start with a sentence that names it", (name, value) => {
    expect(problemOf({ [name]: value })).toMatch(new RegExp(`^${name} must `));
  });

  test("the browser asks three services unless the list is set to nothing", () => {
    expect(readConfig({}).geoServices).toHaveLength(3);
    expect(readConfig({ GEO_SERVICES: "" }).geoServices).toEqual([]);
    expect(readConfig({ GEO_SERVICES: "none" }).geoServices).toEqual([]);
    expect(readConfig({ GEO_SERVICES: "https://a.example/, https://b.example/json" }).geoServices).toEqual([
      "https://a.example/",
      "https://b.example/json",
    ]);
  });

  test("a database address that is wrong is not repeated: it may hold a password", () => {
    expect(problemOf({ DATABASE_URL: "postgre://krug:hunter2@db/krug" })).not.toContain("hunter2");
  });

  test("a bot token that is wrong is not repeated", () => {
    expect(problemOf({ TELEGRAM_BOT_TOKEN: "123456:hunter 2" })).not.toContain("hunter");
  });

  test("listening beyond loopback needs an https address, or the word that plain http is meant", () => {
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

test("docs/configuration.md says what config.ts does", async () => {
  await expect(configurationPage()).toMatchFileSnapshot(join(productFolder(), "docs", "configuration.md"));
});
