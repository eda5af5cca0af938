import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyRepository, putNode, reachRegistry } from "./checkout.ts";
import { mirrorsHere } from "./debian-mirror.ts";
import { startVps, type Vps } from "./vps.ts";
import { installDebian, madeOnce, sourcesOf } from "./vps-base.ts";

const run = promisify(execFile);

/** A rented Debian 13 with its Docker Engine and Compose. */
export interface DockerHost {
  vps: Vps;
  /** A folder on it with the repository's current files, and its path for this process. */
  repository: string;
  files: string;
  /** The base of the panel's image. */
  base: string;
  /** Build options there: the only npm registry it reaches is the lab's. */
  buildOptions: string;
  stop(): Promise<void>;
}

const TAKES_MS = 240_000;

/*
 * No image registry is reachable from here. Images with the official names are made of Debian's packages, with this machine's Node,
 * and behave like the official ones as far as compose.yaml needs.
 */
const NODE_IMAGE = "node:22-trixie-slim";
const DEBIAN_IMAGES = {
  "caddy:2": `FROM ${NODE_IMAGE}
RUN apt-get -q update && apt-get -q install --yes --no-install-recommends caddy libcap2-bin
RUN setcap cap_net_bind_service=+ep /usr/bin/caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
VOLUME ["/config", "/data"]
`,
  "postgres:17": `FROM ${NODE_IMAGE}
RUN apt-get -q update && apt-get -q install --yes --no-install-recommends postgresql-common \\
    && echo create_main_cluster = false > /etc/postgresql-common/createcluster.conf \\
    && apt-get -q install --yes --no-install-recommends postgresql-17
ENV PATH=/usr/lib/postgresql/17/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PGDATA=/var/lib/postgresql/data
VOLUME ["/var/lib/postgresql/data"]
STOPSIGNAL SIGINT
COPY --chmod=755 <<'END' /usr/local/bin/docker-entrypoint.sh
#!/bin/bash
set -e
if [ "$(id -u)" = 0 ]; then
  chown -R postgres "$PGDATA" /run/postgresql
  exec setpriv --reuid postgres --regid postgres --init-groups "$0"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  [ -n "$POSTGRES_PASSWORD" ] || { echo 'superuser password is not specified'; exit 1; }
  initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\\n' "$POSTGRES_PASSWORD") --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -o "-c listen_addresses=''" -w start
  createdb --username="$POSTGRES_USER" --no-password "$POSTGRES_DB"
  pg_ctl -m fast -w stop
fi
exec postgres -c listen_addresses='*'
END
ENTRYPOINT ["docker-entrypoint.sh"]
`,
};

/** Debian's smallest system with this machine's Node, like the official image. */
async function nodeImage(): Promise<string> {
  const { main } = await mirrorsHere();
  // Official images store nothing of apt's between layers.
  const clean = 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };\n';
  const files = { "etc/apt/sources.list": sourcesOf(13), "etc/apt/apt.conf.d/docker-clean": clean };
  return madeOnce("node-image", [process.version, files], async (base) => {
    await installDebian(base, main, { version: 13, packages: ["ca-certificates"], files });
    await putNode(base);
    await run("chroot", [base, "bash", "-c", "groupadd --gid 1000 node && useradd --uid 1000 --gid node node"]);
  });
}

export async function startDockerHost({ clients }: { clients: number }): Promise<DockerHost> {
  const base = await nodeImage();
  const vps = await startVps({ password: "root's own password", debian: 13, clients });
  const opened: { close(): void }[] = [];
  const stop = async () => {
    for (const mirror of opened) mirror.close();
    await vps.stop();
  };
  try {
    const registry = await reachRegistry(vps.network, "npm");
    opened.push(registry);
    const packages = "curl docker.io docker-cli docker-compose docker-buildx iptables";
    await vps.exec(
      `apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q install --yes --no-install-recommends ${packages}`,
      { timeoutMs: TAKES_MS },
    );
    // Its files as this process reaches them.
    const disk = `/proc/${vps.network.host.pid}/root`;
    await run("tar", ["-C", base, "-cf", join(disk, "var/tmp/image.tar"), "."]);
    await vps.exec(`docker import /var/tmp/image.tar ${NODE_IMAGE} && rm /var/tmp/image.tar`, { timeoutMs: TAKES_MS });
    for (const [name, dockerfile] of Object.entries(DEBIAN_IMAGES))
      await vps.exec(`docker build --quiet --tag ${name} -`, { stdin: dockerfile, timeoutMs: TAKES_MS });
    const repository = "/root/krug";
    const files = join(disk, repository);
    await copyRepository(files, vps.network.folder);
    return {
      vps,
      repository,
      files,
      base: NODE_IMAGE,
      buildOptions: `--build-arg NPM_CONFIG_REGISTRY=${registry.url}`,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
