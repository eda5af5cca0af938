import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig, variables } from "./config.ts";
import { productFolder } from "./installation.ts";

/* What the image and the compose file say about the panel; lab/container.soak.test.ts tests that they work. */
const read = (file: string) => readFileSync(join(productFolder(), file), "utf8");
const dockerfile = read("Dockerfile");
const compose = read("compose.yaml");
const withoutTunnels = read("compose.without-tunnels.yaml");

/** For compose.yaml itself, or for the programs it starts. */
const NOT_THE_PANELS = ["NODE_ENV", "PGPASSWORD", "POSTGRES_PASSWORD", "TUNNEL_PORTS", "CLUB_NETWORK"];
const PORT = variables.PORT.fallback;

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name ?? "");
/** The block of one service. */
const service = (text: string, name: string) =>
  new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n(?=    ))+)`, "m").exec(text)?.[1] ?? "";
const environmentOf = (text: string) =>
  found(/^ {4}environment:\n((?: {6}.*\n)+)/m.exec(service(text, "panel"))?.[1] ?? "", /^ {6}([A-Z_]+):/gm);

test("every variable they name is one of the panel's, or a known one of another program", () => {
  const named = [
    ...found(dockerfile, /^ENV (.+)$/gm).flatMap((line) => found(line, /([A-Z_]+)=/g)),
    ...environmentOf(compose),
    ...environmentOf(withoutTunnels),
    ...found(compose, /\$\{([A-Z_]+)/g),
  ].filter((name) => name !== "PATH");
  expect(named).toEqual(expect.arrayContaining(["HOST", "DATA_DIR", "PUBLIC_URL", "LOCAL_SERVER", "DATABASE_URL"]));
  expect(named.filter((name) => !(name in variables) && !NOT_THE_PANELS.includes(name))).toEqual([]);
});

test("the panel takes none of .env's lines for compose for a typo", () => {
  const ofCompose = [...NOT_THE_PANELS, "COMPOSE_FILE", "COMPOSE_PROFILES", "COMPOSE_PROJECT_NAME"];
  const inContainer = { HOST: "0.0.0.0", PUBLIC_URL: "https://club.example", TRUSTED_PROXIES: "172.31.240.0/24" };
  const set = Object.fromEntries(ofCompose.map((name) => [name, "x"]));
  expect(() => readConfig({ ...set, ...inContainer })).not.toThrow();
});

test("without TLS and without the operator's consent the panel in a container does not start", () => {
  const [host = ""] = found(compose, /^ {6}HOST: (\S+)$/gm);
  expect(() => readConfig({ HOST: host, PUBLIC_URL: "http://club.example" })).toThrow("INSECURE_HTTP=on");
  expect(compose).not.toContain("INSECURE_HTTP");
});

test("the panel uses one port everywhere, published on the machine's loopback only", () => {
  expect(dockerfile).toContain(`EXPOSE ${PORT}\n`);
  expect(dockerfile).toContain(` PORT=${PORT} `);
  expect(found(compose, /^ {6}PORT: "(\d+)"$/gm)).toEqual([PORT]);
  expect(compose).toContain(`"panel:${PORT}"`);
  expect(found(service(compose, "panel"), /^ {6}- (\S+:3001)$/gm)).toEqual([`127.0.0.1:${PORT}:${PORT}`]);
  expect(withoutTunnels).toContain(`["127.0.0.1:${PORT}:${PORT}"]`);
});

test("data is in a volume, and none goes into the image", () => {
  const [folder = ""] = found(compose, /^ {6}DATA_DIR: (\S+)$/gm);
  expect(service(compose, "panel")).toContain(`- data:${folder}\n`);
  expect(found(dockerfile, / DATA_DIR=(\S+)/g)).toEqual([folder]);
  expect(read(".dockerignore").split("\n")).toEqual(expect.arrayContaining(["*", "**/data", "**/.env*"]));
});

test("nothing dumps its memory, which holds every secret, however it is started", () => {
  expect(read("deploy/krug.service")).toMatch(/^LimitCORE=0$/m);
  expect(/^x-service:[^\n]*\n((?: {2}.*\n)+)/m.exec(compose)?.[1]).toContain("  ulimits: { core: 0 }\n");
  const started = found(compose, /^ {2}([a-z]+):\n {4}<<: \*service$/gm);
  expect(started).toEqual(expect.arrayContaining(["panel", "caddy", "postgres"]));
});
