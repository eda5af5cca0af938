import type { Compilable, CompiledQuery } from "kysely";
import { connectionOf, type Db, readerOf, type Tx } from "./database.ts";

/** A placeholder in a query for a value that each execution supplies. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query whose text is compiled once, for frequent use: compiling it costs more than running it. `write` gets a placeholder for
 * each value and must use it as a plain value; the text must not depend on the values.
 */
export function prepared<
  Values extends Record<keyof Values, string | number | null>,
  Row,
  Over extends Db | Tx = Db | Tx,
>(write: (db: Over, values: Values) => Compilable<Row>): (db: Over, values: Values) => Promise<Row[]> {
  // By engine: each has its own SQL.
  const texts = new WeakMap<object, CompiledQuery<Row>>();
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values;
  return async (db, values) => {
    const { adapter } = db.getExecutor();
    let text = texts.get(adapter);
    if (text === undefined) {
      text = write(db, slots).compile();
      texts.set(adapter, text);
    }
    const parameters = text.parameters.map((value) =>
      value instanceof Slot ? values[value.name as keyof Values] : value,
    );
    const direct = readerOf(db);
    if (direct !== undefined) return direct.read(text.sql, parameters) as Row[];
    return (await (connectionOf(db) ?? db).executeQuery<Row>({ ...text, parameters })).rows;
  };
}

/** Longer lists are rare, and their texts long. */
const MOST_KEPT = 100;

/** The same for a query with one list of texts: one compiled text per length. */
export function preparedForList<Row, Over extends Db | Tx = Db | Tx>(
  write: (db: Over, list: readonly string[]) => Compilable<Row>,
): (db: Over, list: readonly string[]) => Promise<Row[]> {
  const ofLength = new Map<number, (db: Over, list: Record<number, string>) => Promise<Row[]>>();
  return (db, list) => {
    const known = ofLength.get(list.length);
    if (known !== undefined) return known(db, list);
    const query = prepared((db: Over, slots: Record<number, string>) =>
      write(
        db,
        list.map((_, place) => slots[place] as string),
      ),
    );
    if (list.length <= MOST_KEPT) ofLength.set(list.length, query);
    return query(db, list);
  };
}

/** The same for inserting a row: one compiled text per set of columns. */
export function preparedForRow<Row extends object>(
  write: (tx: Tx, row: Row) => Compilable<unknown>,
): (tx: Tx, row: Row) => Promise<void> {
  const ofColumns = new Map<string, (tx: Tx, row: Record<string, string | number | null>) => Promise<unknown[]>>();
  return async (tx, row) => {
    const names = Object.keys(row);
    const key = names.join();
    let query = ofColumns.get(key);
    if (query === undefined) {
      query = prepared((tx: Tx, slots: Record<string, string | number | null>) =>
        write(tx, Object.fromEntries(names.map((name) => [name, slots[name]])) as Row),
      );
      ofColumns.set(key, query);
    }
    await query(tx, row as Record<string, string | number | null>);
  };
}
