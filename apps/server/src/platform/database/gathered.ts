import { letOthersIn } from "./chunks.ts";
import { type Db, isPostgres, type Transact, type Tx } from "./database.ts";
import { isTroubled } from "./trouble.ts";

/**
 * For a read that many pieces of work make at the same moment: those asked for in one turn of the event loop become one `read`,
 * whose answer all of them get. On SQLite, where statements do not wait for each other, each is read at once.
 */
export function gathered<Ask, Answer>(
  read: (db: Db, asks: readonly Ask[]) => Promise<Answer>,
): (db: Db, ask: Ask) => Promise<Answer> {
  let waiting: { asks: Ask[]; answer: Promise<Answer> } | null = null;
  const readSoon = async (db: Db, asks: readonly Ask[]) => {
    await letOthersIn();
    waiting = null;
    return read(db, asks);
  };
  return (db, ask) => {
    if (!isPostgres(db)) return read(db, [ask]);
    if (waiting === null) {
      const asks = [ask];
      waiting = { asks, answer: readSoon(db, asks) };
    } else waiting.asks.push(ask);
    return waiting.answer;
  };
}

/** Written in one transaction at most: it holds their rows' locks. */
const MOST_TOGETHER = 100;

/**
 * Has several pieces of work write in one transaction: on PostgreSQL, what comes in while one is under way shares the next. If that
 * fails, each is written by itself. `alone`: how a single piece is written, always on SQLite.
 */
export function makeTogether<Item>(
  { db, transact }: { db: Db; transact: Transact },
  {
    write,
    alone = (item) => transact((tx) => write(tx, [item])),
  }: { write: (tx: Tx, items: readonly Item[]) => Promise<void>; alone?: (item: Item) => Promise<void> },
): (item: Item) => Promise<void> {
  const waiting: { item: Item; done: () => void; failed: (error: unknown) => void }[] = [];
  let isUnderWay = false;

  const writeSome = async (some: typeof waiting) => {
    const settle = (each: (typeof some)[number]) => alone(each.item).then(each.done, each.failed);
    const [first] = some;
    if (first !== undefined && some.length === 1) return settle(first);
    const items = some.map(({ item }) => item);
    try {
      await transact((tx) => write(tx, items));
    } catch (error) {
      // Unless it is the database itself, one of them may be to blame.
      for (const each of some)
        if (isTroubled(error)) each.failed(error);
        else await settle(each);
      return;
    }
    for (const { done } of some) done();
  };
  const writeAll = async () => {
    isUnderWay = true;
    await letOthersIn();
    while (waiting.length > 0) await writeSome(waiting.splice(0, MOST_TOGETHER));
    isUnderWay = false;
  };
  return (item) => {
    if (!isPostgres(db)) return alone(item);
    return new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!isUnderWay) void writeAll();
    });
  };
}
