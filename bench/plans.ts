import { performance } from "node:perf_hooks";
import { startCluster } from "../scripts/postgres-for-tests.mjs";

/*
 * `npm run bench:plans [-- CONFIGS [DELETED]]`: PostgreSQL with 300,000 configs of 100,000 members on 20 interfaces, or another
 * number, DELETED per cent of them deleted. Each row is something that somebody waits for, or a scheduled job: its time, its number
 * of statements, and those that scan a growing table by the plan that PostgreSQL chose for a database of this size.
 */
const CONFIGS = Number(process.argv[2] ?? 300_000);
const DELETED = Number(process.argv[3] ?? 0);
const ROUNDS = 5;
/** The growing tables that are filled here. */
const FILLED = new Set("members member_use configs traffic_counters config_services config_services_past".split(" "));

const cluster = await startCluster({ autovacuum: "off", shared_buffers: "512MB" });
process.env.TEST_ENGINE = "postgres";
process.env.TEST_POSTGRES_URL = cluster.url;
const { startClub } = await import("../apps/server/testing/start-club.ts");
const { configInput } = await import("../apps/server/testing/config-input.ts");
const { fillByCopies } = await import("../apps/server/testing/fill-by-copies.ts");
const { connectBeside, hearStatements, planOf } = await import("../apps/server/testing/postgres-plans.ts");

const heard = hearStatements();
const club = await startClub();
const client = await connectBeside(club.config.databaseUrl);

const [admin, boris] = [await club.admin(), await club.member({ configLimit: 9 })];
const { id } = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) })).body;
await club.settle();
const [tunnel] = (await client.query("select id from interfaces")).rows as { id: string }[];
const began = performance.now();
await fillByCopies(client, CONFIGS, { configId: id, memberId: boris.id, interfaceId: tunnel?.id ?? "" });
// All but a few of them were deleted too long ago for anything to be stored.
if (DELETED > 0) {
  // The purge would record their services twice.
  await client.query("truncate config_services_past");
  await client.query(
    `update configs set deleted_at = 1790000000000 + abs(hashtext(id)) % 1000000, on_wire = 0,
      address = case when abs(hashtext(id)) % 1000 < 30 then address else '' end
    where id <> $1 and abs(hashtext(id)) % 100 < $2`,
    [id, DELETED],
  );
}
// Autovacuum does this meanwhile in a club. Only then can PostgreSQL count by an index without reading the rows.
await client.query("vacuum (analyze)");
console.log(`${CONFIGS} configs in ${Math.round((performance.now() - began) / 1000)} s`);

async function measured(what: string, act: () => Promise<unknown>, rounds = ROUNDS): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    heard.forget();
    const from = performance.now();
    await act();
    times.push(performance.now() - from);
  }
  const scans: string[] = [];
  const sent = [...heard.seen];
  for (const [text, values] of sent)
    for (const { "Node Type": how, "Relation Name": table = "" } of (await planOf(client, text, values)) ?? [])
      if (how === "Seq Scan" && FILLED.has(table)) scans.push(`${table}: ${text.replace(/\s+/g, " ").slice(0, 90)}`);
  times.sort((a, b) => a - b);
  console.log(
    `${what.padEnd(46)} ${times[0]?.toFixed(0).padStart(7)} ms at best, ${times.at(-1)?.toFixed(0)} at worst, ${sent.length} statements`,
  );
  for (const scan of scans) console.log(`    reads all of ${scan}`);
}

const { configs } = club.app.parts;
await measured("the dialog for a new device", () => club.as(boris).call("GET /vpn/available-interfaces"));
await measured("a member's devices", () => club.as(boris).call("GET /vpn/configs"));
await measured("staff's servers", () => club.as(admin).call("GET /admin/servers"));
await measured("for comparison: devices of interfaces, counted", () =>
  client.query(
    "select interface_id, count(*), sum(on_wire) from configs where deleted_at is null group by interface_id",
  ),
);
await measured("the catalogue's devices", () => club.as(admin).call("GET /admin/catalog/usage"));
await measured("staff's interfaces", () => club.as(admin).call("GET /admin/servers/interfaces"));
await measured("members by traffic", () =>
  club.as(admin).call("GET /users", { query: { limit: 50, sort: "monthBytes", order: "desc" } as never }),
);
await measured("everyone's configs", () =>
  club.as(admin).call("GET /vpn/configs", { query: { scope: "all", limit: 50 } as never }),
);
await measured("the purge, every 20 s", () => configs.purgePast());
await measured("what a server's peers are, each minute", () => configs.fingerprintOfPeers(club.db, [tunnel?.id ?? ""]));
await client.end();
await club.stop();
await cluster.end();
process.exit();
