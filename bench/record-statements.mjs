import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

/*
 * Loaded into a panel before it starts: at each SIGUSR2 it writes the queries sent to SQLite since the one before, with their
 * values, to the file that STATEMENTS_TO names.
 */
const [builtIn, ofOlderNode] = ["node:sqlite", "@photostructure/sqlite"];
const require = createRequire(new URL("../apps/server/package.json", import.meta.url));
const { DatabaseSync } = await import(builtIn).catch(() => require(ofOlderNode));
/** @type {{ text: string, values: unknown[] }[]} */
let sent = [];
const { prepare } = DatabaseSync.prototype;
/** @param {string} text */
DatabaseSync.prototype.prepare = function (text) {
  const statement = prepare.call(this, text);
  if (!/^\s*(select|with)\b/i.test(text)) return statement;
  const all = statement.all.bind(statement);
  /** @param {unknown[]} values */
  statement.all = (...values) => {
    sent.push({ text, values });
    return all(...values);
  };
  return statement;
};
const MOST = 10_000;
setInterval(() => {
  if (sent.length > MOST) sent = [];
}, 1_000).unref();
process.on("SIGUSR2", () => {
  writeFileSync(process.env.STATEMENTS_TO ?? "", JSON.stringify(sent));
  sent = [];
});
