import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { amneziaUp } from "./amnezia-client.ts";
import { type DockerHost, startDockerHost } from "./docker-host.ts";
import { MEGABYTE, testMainJob } from "./main-job.ts";
import type { Namespace } from "./namespace.ts";
import * as lab from "./network.ts";
import { configInputOf, PASSWORD, type Reached, setUpAdmin, visitorsOf } from "./panel.ts";
import { reachLoopback } from "./vps.ts";

/* Compose and the image as an operator uses them: a rented Debian with Docker, the repository, and a few lines in .env. */
const BUILD_MS = 20 * 60_000;
const ABOVE_BASE_BYTES = 200_000_000;
const CAP_NET_ADMIN = 1n << 12n;
const PHRASE = "four words of no relation";

let host: DockerHost;
let panel: Reached;
let printed = "";

/** Runs a command in the folder with compose.yaml and returns its output. */
const there = (command: string, timeoutMs = 120_000, stdin = "") =>
  host.vps.exec(`cd ${host.repository} && ${command}`, { timeoutMs, stdin });
const settings = (...lines: string[]) => writeFile(`${host.files}/.env`, lines.map((line) => `${line}\n`).join(""));
const up = async () => {
  await there("docker compose up --detach --wait").catch(async (error: Error) => {
    const health = await there("docker inspect --format '{{json .State.Health}}' krug-panel-1").catch(String);
    const log = await there("docker compose logs --no-log-prefix --tail 50 panel").catch(String);
    throw new Error(`${error.message}\n${health}\n${log}`, { cause: error });
  });
  printed = await there("docker compose logs --no-log-prefix panel");
};
const inPanel = (command: string, stdin = "") => there(`docker compose exec -T panel ${command}`, 60_000, stdin);
/** What a lab machine gets at the club's name. The certificate is from Caddy's own authority. */
const healthFrom = async (client: Namespace) => {
  const trusted = ["--cacert", `${host.vps.network.folder}/root.crt`];
  const name = ["--resolve", `club.local:443:${lab.HOST_ADDRESS}`, "https://club.local/health"];
  return (await client.attempt("curl", ["--silent", "--noproxy", "*", "--max-time", "10", ...trusted, ...name])).stdout;
};
/** Capabilities of every process in the container. */
const capabilities = async () =>
  new Set((await inPanel("sh -c 'cat /proc/[0-9]*/status 2> /dev/null; true'")).match(/^Cap(Prm|Eff|Bnd):.*$/gm));

beforeAll(async () => {
  host = await startDockerHost({ clients: 2 });
  await Promise.all([
    lab.startServices(host.vps.network.target, { tcp: [80, 25] }),
    lab.startServices(host.vps.network.privateNetwork, { tcp: [80] }),
  ]);
  panel = { ...visitorsOf(await reachLoopback(host.vps, 3001)), output: () => printed };
}, BUILD_MS);
afterAll(() => host?.stop());

test("compose refuses a folder without an address for the panel, and accepts the file with each of its profiles", async () => {
  await settings("");
  await expect(there("docker compose config --quiet")).rejects.toThrow("PUBLIC_URL");
  await settings("PUBLIC_URL=https://club.local");
  await there("docker compose --profile '*' config --quiet");
  await there("docker compose -f compose.yaml -f compose.without-tunnels.yaml --profile '*' config --quiet");
});

test(
  "both images are built, and are at most 200 MB larger than their base",
  async () => {
    await there(`docker compose build --quiet ${host.buildOptions}`, BUILD_MS);
    await there(
      `docker compose -f compose.yaml -f compose.without-tunnels.yaml build --quiet ${host.buildOptions}`,
      BUILD_MS,
    );
    const sizeOf = async (name: string) => Number(await there(`docker image inspect --format '{{.Size}}' ${name}`));
    const base = await sizeOf(host.base);
    for (const name of ["localhost/krug", "localhost/krug-without-tunnels"]) {
      const above = (await sizeOf(name)) - base;
      console.log(`${name} is ${Math.round(above / 1_000_000)} MB above its base`);
      expect(above).toBeLessThan(ABOVE_BASE_BYTES);
    }
    // It contains none of the operator's variables.
    expect(await there("docker run --rm localhost/krug find / -xdev -name .env")).toBe("");
  },
  2 * BUILD_MS,
);

describe("a panel with tunnels", () => {
  test("one command starts it, it is healthy, and its log has the first admin's link", async () => {
    await settings("PUBLIC_URL=http://127.0.0.1:3001", "INSECURE_HTTP=on");
    await up();
    expect(printed).toMatch(/http:\/\/127\.0\.0\.1:3001\/setup#token=\S+/);
    expect(printed).not.toContain("tunnels on this machine");
    // Only on the machine itself.
    expect(await lab.fetchFrom(host.vps.network.internet, `http://${lab.HOST_ADDRESS}:3001/health`)).toBeNull();
  });

  test("it may only administer its own network, and only write data and memory", async () => {
    const mask = CAP_NET_ADMIN.toString(16).padStart(16, "0");
    expect(await capabilities()).toEqual(new Set(["Prm", "Eff", "Bnd"].map((kind) => `Cap${kind}:\t${mask}`)));
    expect(await inPanel("sed -n s/^NoNewPrivs:.//p /proc/1/status")).toBe("1\n");
    expect(await inPanel("sh -c 'touch /opt/krug/x /etc/x /root/x 2>&1 || true'")).toMatch(
      /^(.*Read-only file system\n){3}$/,
    );
    await inPanel("touch /run/x /tmp/x /var/lib/krug/x /var/backups/krug/x");
    await inPanel("rm /run/x /tmp/x /var/lib/krug/x /var/backups/krug/x");
  });

  const job = testMainJob(() => ({
    network: host.vps.network,
    panel,
    at: {
      attempt: (program, args = []) =>
        host.vps.network.host.attempt("docker", ["exec", "krug-panel-1", program, ...args]),
    },
    // A panel opened by ssh -L cannot know where devices reach the machine.
    async begin(admin) {
      const server = await lab.until("the machine is a server", async () => (await admin.ask("GET /admin/servers"))[0]);
      await admin.ask("PUT /admin/servers/{id}", { params: { id: server.id }, body: { endpoint: lab.HOST_ADDRESS } });
    },
  }));

  test("from the tunnel a member does not reach anything else in the container's network", async () => {
    const address = (await inPanel("hostname -i")).trim();
    const gateway = address.replace(/\d+$/, "1");
    const places = [`http://${address}:3001/health`, `http://${gateway}:3001/health`];
    expect(await lab.fetchFrom(host.vps.network.host, places[0]!)).toBe('{"status":"ok"}');
    for (const place of places) expect(await lab.fetchFrom(job.device(), place)).toBeNull();
    expect(await job.reaches()).toBe(true);
  });

  test("its own check finds nothing wrong", async () => {
    expect(await inPanel("krug check")).toContain("No problems found.");
  });

  test("a stop exits with 0 within its time; after the start keys, data and bytes are there, and the device continues", async () => {
    const before = { wire: await job.peersOnWire(), stats: await job.stats() };
    await job.receive(MEGABYTE);
    const began = Date.now();
    await there("docker compose stop panel");
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(await there("docker inspect --format '{{.State.ExitCode}}' krug-panel-1")).toBe("0\n");
    expect(await job.reaches()).toBe(false);
    await up();
    expect(await job.peersOnWire()).toEqual(before.wire);
    expect((await job.stats()).dataReceived).toBeGreaterThanOrEqual(before.stats.dataReceived + MEGABYTE);
    await job.connects();
    expect(await job.anna.download(job.config.id)).toBe(job.file);
  });

  test("a newer image takes over with the same data and tunnels", async () => {
    const wire = await job.peersOnWire();
    await there("echo 'FROM localhost/krug\nLABEL newer=yes' | docker build --quiet --tag localhost/krug -", 60_000);
    await up();
    expect(await there("docker inspect --format '{{.Config.Labels.newer}}' krug-panel-1")).toBe("yes\n");
    expect(await job.peersOnWire()).toEqual(wire);
    await job.connects();
  });

  test.skipIf(!existsSync(engine))(
    "an AmneziaWG interface gets the next published port, and carries a device",
    async () => {
      const serverId = (await job.admin.ask("GET /admin/servers"))[0]!.id;
      const { interface: made } = await job.admin.ask("POST /admin/servers/{serverId}/create-interface", {
        params: { serverId },
        body: { amneziawg: { version: "3.1", preset: "dns" } },
      });
      expect(made).toMatchObject({ type: "amneziawg", conflict: null, listenPort: 51_821 });
      await job.admin.ask("POST /admin/servers/interfaces/assign", { body: { userId: "anna", interfaceId: made.id } });
      const input = { ...(await configInputOf(job.anna)), interfaceId: made.id, name: "phone" };
      const { id } = await job.anna.ask("POST /vpn/configs", { body: input });
      const other = host.vps.network.clients[1]!;
      const device = await amneziaUp(other, engine, await job.anna.download(id));
      await lab.until("it reaches the target", () => lab.fetchFrom(other, `http://${lab.TARGET_ADDRESS}/`), 40_000);
      await device.down();
    },
  );

  test("a backup taken off the machine becomes the same club in an empty volume", async () => {
    await inPanel("krug backup /var/backups/krug/club.age", `${PHRASE}\n`);
    await there(
      "docker compose cp panel:/var/backups/krug/club.age . && head -c 21 club.age | grep age-encryption.org",
    );
    await there("docker compose down && docker volume rm krug_data");
    const restore = 'docker compose run --rm -T -v "$PWD/club.age:/club.age:ro" panel krug restore /club.age';
    expect(await there(restore, 120_000, `${PHRASE}\n`)).toContain("Everybody signs in again");
    await up();
    const signedIn = await panel.guest().ask("POST /auth/login", { body: { username: "anna", password: PASSWORD } });
    const anna = panel.as(signedIn.token);
    expect(await anna.download(job.config.id)).toBe(job.file);
    await job.reconnect(job.file);
    await job.connects();
  });
});

describe("with Caddy in front", () => {
  test("the club has TLS at its name, plain http redirects there, and visitors are distinguished", async () => {
    await settings("PUBLIC_URL=https://club.local", "COMPOSE_PROFILES=caddy");
    await up();
    // Caddy itself makes the certificate of a name that belongs to nobody.
    const root = await lab.until("Caddy has its root", () =>
      there("docker compose exec -T caddy cat /data/caddy/pki/authorities/local/root.crt").catch(() => null),
    );
    await writeFile(`${host.vps.network.folder}/root.crt`, root);
    const [device, client] = host.vps.network.clients as [Namespace, Namespace];
    const answer = '{"status":"ok"}';
    await lab.until("it answers by https", async () => (await healthFrom(client)) === answer);
    // Through the tunnel the route goes from the container to the machine's own address and back in.
    await lab.until("it answers in the tunnel", async () => (await healthFrom(device)) === answer, 40_000);
    const plain = [
      "--silent",
      "--noproxy",
      "*",
      "--head",
      "--header",
      "Host: club.local",
      `http://${lab.HOST_ADDRESS}/`,
    ];
    expect(await client.exec("curl", plain)).toMatch(/^location: https:\/\/club\.local\//im);
    printed = await there("docker compose logs --no-log-prefix panel");
    expect(printed).not.toContain("A forwarded address came from a peer");
    // Only reachable through Caddy.
    await expect(panel.guest().ask("GET /services")).rejects.toThrow("421");
  });
});

describe("without tunnels, on PostgreSQL", () => {
  test("without its password PostgreSQL does not start, and the command says so", async () => {
    await there("docker compose down --volumes");
    const parts = ["COMPOSE_FILE=compose.yaml:compose.without-tunnels.yaml", "COMPOSE_PROFILES=postgres"];
    await settings("PUBLIC_URL=http://127.0.0.1:3001", "INSECURE_HTTP=on", ...parts);
    await expect(up()).rejects.toThrow("postgres");
    await there("docker compose down --volumes");
    await settings("PUBLIC_URL=http://127.0.0.1:3001", "INSECURE_HTTP=on", ...parts, "POSTGRES_PASSWORD='a/b@c #d:1'");
    await up();
  });

  test("the panel has its own user and no capability, writes as little, and stores the club in PostgreSQL", async () => {
    const none = "0".padStart(16, "0");
    expect(await capabilities()).toEqual(new Set(["Prm", "Eff", "Bnd"].map((kind) => `Cap${kind}:\t${none}`)));
    expect(await inPanel("id -u")).toBe("1000\n");
    expect(await inPanel("sh -c 'touch /opt/krug/x 2>&1 || true'")).toContain("Read-only file system");
    expect(await inPanel("ls /var/lib/krug")).not.toContain("krug.db");
    expect(printed).not.toContain("tunnels on this machine");
    const { token } = await setUpAdmin(panel);
    expect(await inPanel("krug check")).toContain("PostgreSQL 17 answers");
    await there("docker compose restart");
    await up();
    expect((await panel.as(token).ask("GET /auth/me")).username).toBe("olga");
    expect(await panel.as(token).ask("GET /admin/servers")).toEqual([]);
  });
});
