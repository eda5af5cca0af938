import type pg from "pg";

const CONFIGS_OF_EACH = 3;
const INTERFACES = 20;

const uuid = (kind: string, number: string) => `md5('${kind} ' || (${number}))::uuid::text`;

/**
 * Fills PostgreSQL with this many configs of a third as many members, on 20 interfaces: copies of one of each, with another name,
 * address and time. For plans and times of statements; no machine could carry them. `client`: a superuser's.
 */
export async function fillByCopies(
  client: pg.Client,
  configs: number,
  of: { configId: string; memberId: string; interfaceId: string },
): Promise<void> {
  /** Copies a row: all columns unchanged, except those computed from the copy's number `n`. */
  const copies = async (table: string, where: [string, string], count: number, own: Record<string, string>) => {
    const { rows } = await client.query<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    );
    const columns = rows.map(({ name }) => name);
    const unknown = Object.keys(own).filter((name) => !columns.includes(name));
    if (unknown.length > 0) throw new Error(`${table} has no ${unknown.join(", ")}`);
    await client.query(
      `insert into "${table}" (${columns.map((name) => `"${name}"`).join(", ")})
        select ${columns.map((name) => own[name] ?? `one."${name}"`).join(", ")}
        from "${table}" as one cross join generate_series(1, ${Math.floor(count)}) as n where one."${where[0]}" = '${where[1]}'`,
    );
  };
  const members = configs / CONFIGS_OF_EACH;
  // Foreign keys and triggers would check each row.
  await client.query("set session_replication_role = replica");
  await copies("interfaces", ["id", of.interfaceId], INTERFACES - 1, {
    id: uuid("interface", "n"),
    name: "'wg9' || n",
    interface_name: "'wg9' || n",
    listen_port: "52000 + n",
    public_key: "md5('key' || n) || md5('key ' || n)",
    subnet: "'10.' || (100 + n) || '.0.0/18'",
  });
  await copies("members", ["id", of.memberId], members, {
    id: uuid("member", "n"),
    username: "'member' || n",
    username_key: "'member' || n",
    display_name_key: "'member' || n",
    subscription_end: "1795000000000 + n * 60000::bigint",
    friend_of: `case when n % 2 = 0 then ${uuid("member", "n / 2 + 1")} end`,
    referral_earned_at: "case when n % 50 = 0 then 1790000000000 + n::bigint end",
    created_at: "1700000000000 + n * 60000::bigint",
  });
  await copies("member_use", ["member_id", of.memberId], members, {
    member_id: uuid("member", "n"),
    month_bytes: "n",
    recent_bytes: "n",
    life_bytes: "n",
    last_handshake_at: "1795000000000 + n * 60000::bigint",
  });
  const ids = Array.from({ length: INTERFACES - 1 }, (_, at) => uuid("interface", `${at + 1}`));
  await copies("configs", ["id", of.configId], configs, {
    id: uuid("config", "n"),
    name: "'device ' || n",
    name_key: "'device ' || n",
    member_id: uuid("member", `n / ${CONFIGS_OF_EACH} + 1`),
    public_key: "md5('public' || n) || md5('public ' || n)",
    interface_id: `(array['${of.interfaceId}', ${ids.join(", ")}])[n % ${INTERFACES} + 1]`,
    idempotency_key: "null",
    address: "'10.' || (n / 65536) || '.' || (n / 256 % 256) || '.' || (n % 256)",
    created_at: "1700000000000 + n * 60000::bigint",
  });
  await copies("traffic_counters", ["config_id", of.configId], configs, {
    config_id: uuid("config", "n"),
    total_rx: "n",
    last_handshake_at: "1795000000000 + n * 1000::bigint",
  });
  await copies("config_services", ["config_id", of.configId], configs, { config_id: uuid("config", "n") });
  await client.query(
    "insert into config_services_past (config_id, service_id) select config_id, service_id from config_services",
  );
  const rows = (table: string, count: number, own: Record<string, string>) =>
    client.query(
      `insert into "${table}" (${Object.keys(own).join(", ")})
        select ${Object.values(own).join(", ")} from generate_series(1, ${Math.floor(count)}) as n`,
    );
  const member = uuid("member", "n");
  const at = "1700000000000 + n * 60000::bigint";
  const hour = "1700000000000 + n * 3600000::bigint";
  const day = "to_char(date '2020-01-01' + n % 2500, 'YYYY-MM-DD')";
  const use = { rx: "n", tx: "n" };
  await rows("sessions", members, {
    id: uuid("session", "n"),
    token_hash: "md5('token' || n)",
    member_id: member,
    created_at: at,
    last_seen_at: at,
    expires_at: "1900000000000 + n * 60000::bigint",
  });
  await rows("payments", members, {
    id: uuid("payment", "n"),
    member_id: member,
    period: "to_char(date '2017-01-01' + (n % 120) * interval '1 month', 'YYYY-MM')",
    status: "case when n % 3 = 0 then 'pending' else 'paid' end",
    currency: "'RUB'",
    due_day: day,
    created_at: at,
    changed_at: at,
  });
  await rows("audit", members, { id: uuid("entry", "n"), at, actor_id: member, action: "'test'", member_id: member });
  await rows("notices", members, {
    id: uuid("notice", "n"),
    member_id: member,
    kind: "'test'",
    params: "'{}'",
    created_at: at,
  });
  await rows("invite_codes", members, {
    id: uuid("code", "n"),
    code_hash: "md5('code' || n)",
    sealed_code: "''",
    kind: "'member'",
    created_by: member,
    created_at: at,
    max_uses: "1",
    current_uses: "0",
    interface_ids: "'[]'",
    is_active: "1",
  });
  await rows("support_texts", members, { member_id: member, sequence: "n", content: "'text ' || n" });
  await rows("access_rule_members", members, { rule_id: uuid("rule", "n % 50"), member_id: member });
  await rows("traffic_hourly", configs, { config_id: uuid("config", "n"), hour, ...use });
  await rows("traffic_daily", configs, { config_id: uuid("config", "n"), day, ...use });
  const kept = { kind: "'device'", key: uuid("config", "n") };
  await rows("statistics_hourly", configs, { hour, ...kept, ...use });
  await rows("statistics_daily", configs, { day, ...kept, ...use });
  await rows("statistics_hourly_came", configs, { hour, since: hour, ...kept, configs: "1" });
  await rows("statistics_daily_came", configs, { day, since: day, ...kept, configs: "1" });
  await client.query("set session_replication_role = origin");
  await client.query("analyze");
}
