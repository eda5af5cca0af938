import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { ROOT } from "../../scripts/command.mjs";
import type { Day } from "./part.ts";
import { complaints, say, seconds, until } from "./telling.ts";
import { wire, wireIsRight } from "./wire.ts";

/* At the end: whether anything was lost. */

/** Everything acknowledged is in the database, once; and the wire is the database's. */
export async function compare(day: Day): Promise<void> {
  const { database, work } = day;
  const { ledger } = work;
  const rows = async <Row>(statement: ReturnType<typeof sql<Row>>) => (await statement.execute(database.db)).rows;
  const lost = (what: string, all: Iterable<string>, found: ReadonlySet<string>) => {
    const missing = [...all].filter((each) => !found.has(each));
    if (missing.length > 0) complaints.push(`${missing.length} ${what} are lost, e.g. ${missing[0]}`);
  };
  const devices = await rows(sql<{ key: string }>`select id || ' ' || member_id || ' ' || name as key from configs`);
  lost(
    "devices",
    [...ledger.devices].map(([id, { memberId, name }]) => `${id} ${memberId} ${name}`),
    new Set(devices.map(({ key }) => key)),
  );
  const messages = await rows(sql<{ key: string }>`select member_id || ' ' || content as key from support_texts`);
  lost(
    "messages",
    [...ledger.messages].map(([content, id]) => `${id} ${content}`),
    new Set(messages.map(({ key }) => key)),
  );
  if (new Set(messages.map(({ key }) => key)).size !== messages.length) complaints.push("a message exists twice");
  const claims = await rows(sql<{ member_id: string }>`select member_id from payment_claims`);
  lost("claims", ledger.claims, new Set(claims.map(({ member_id }) => member_id)));
  if (claims.length !== new Set(claims.map(({ member_id }) => member_id)).size) complaints.push("a claim exists twice");
  const paid = await rows(sql<{ member_id: string }>`select member_id from payments where status = 'paid'`);
  lost("payments", ledger.paid, new Set(paid.map(({ member_id }) => member_id)));
  const newcomers = await rows(
    sql<{ username: string }>`select username from members where username like 'newcomer-%'`,
  );
  lost("registrations", ledger.newcomers, new Set(newcomers.map(({ username }) => username)));
  const counts = `${ledger.newcomers.size} registrations, ${ledger.devices.size} devices, ${ledger.messages.size} messages, ${ledger.claims.size} claims, ${ledger.paid.size} payments`;
  say(`acknowledged: ${counts}; without an answer in the end: ${ledger.open.length}`);
  const counted = await rows(sql<{ id: string }>`
    select id from config_counts where kind = 'interface' group by id
    having sum(configs) <> (select count(*) from configs where interface_id = config_counts.id and deleted_at is null)`);
  if (counted.length > 0)
    complaints.push(`${counted.length} interfaces have another number of configs than is recorded`);
  const right = await until("the wire is the database's", () => wireIsRight(day));
  const { wanted, there } = await wire(day);
  const [lacking, extra] = [[...wanted].filter((key) => !there.has(key)), [...there].filter((key) => !wanted.has(key))];
  say(`the wire: ${there.size} peers, ${lacking.length} lacking, ${extra.length} too many, after ${seconds(right)}`);
  for (const what of new Set(work.wrong)) complaints.push(what);
}

/** `krug check` over the whole club. */
export async function check({ cluster, panels }: Day, folder: string): Promise<void> {
  const env = {
    ...{ PATH: process.env.PATH, DATABASE_URL: cluster.url, MASTER_KEY_FILE: join(folder, "master.key") },
    ...{ DATA_DIR: panels[0]?.dataDir, LOCAL_SERVER: "off", LANG: "en" },
  };
  const run = promisify(execFile)(process.execPath, [`${ROOT}apps/server/dist/cli.js`, "check"], {
    env,
    maxBuffer: 2 ** 26,
  });
  const { stdout, code = 0 } = await run.then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  if (code === 1) complaints.push("krug check found problems");
  // It cannot read a double, whose wire is compared above.
  for (const line of stdout.split("\n")) if (line !== "" && !line.startsWith("unknown server")) console.log(line);
}
