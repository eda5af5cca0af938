import pg from "pg";

/** One step of PostgreSQL's plan for a statement. */
export interface PlanStep {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: PlanStep[];
}

/** Records the statements that this process sends to PostgreSQL from now on, each with one set of values. */
export function hearStatements() {
  const seen = new Map<string, readonly unknown[]>();
  const ask = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args as [string | { text?: string; values?: unknown[] }, unknown];
    const text = typeof first === "string" ? first : first?.text;
    const values = typeof first === "string" ? second : first?.values;
    if (text !== undefined && !seen.has(text)) seen.set(text, Array.isArray(values) ? values : []);
    return Reflect.apply(ask, this, args);
  } as never;
  return {
    seen: seen as ReadonlyMap<string, readonly unknown[]>,
    forget: () => seen.clear(),
    stop() {
      pg.Client.prototype.query = ask as never;
    },
  };
}

/** A connection next to the panel's. */
export async function connectBeside(databaseUrl: string | null): Promise<pg.Client> {
  if (databaseUrl === null) throw new Error("this is not PostgreSQL");
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}

const withAllBelow = (step: PlanStep): PlanStep[] => [step, ...(step.Plans ?? []).flatMap(withAllBelow)];

/** All steps of a statement that reads or changes rows; null for any other. It is not executed. */
export async function planOf(client: pg.Client, text: string, values: readonly unknown[]): Promise<PlanStep[] | null> {
  if (!/^\s*(select|with|update|delete|insert)/i.test(text)) return null;
  const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanStep }[] }>(
    `explain (format json) ${text}`,
    values as unknown[],
  );
  return (rows[0]?.["QUERY PLAN"] ?? []).flatMap(({ Plan }) => withAllBelow(Plan));
}
