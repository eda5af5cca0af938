import pg from "pg";
import { expect, test } from "vitest";

test("engine", async () => {
  if (process.env.TEST_ENGINE === "sqlite") {
    expect(process.env.TEST_POSTGRES_URL).toBeUndefined();
    return;
  }
  const c = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await c.connect();
  console.log(
    (await c.query("select version(), current_setting('max_connections'), current_setting('fsync') as f")).rows,
  );
  await c.end();
});
