import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Lets everything else that is due run. On SQLite statements run synchronously, so a long series of them would keep every other
 * call waiting.
 */
export const letOthersIn = (): Promise<void> => nextTurn();

/** Both engines accept this many values in one statement. */
const PER_STATEMENT = 500;

/** The items in batches that fit one statement. */
export function* chunks<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += PER_STATEMENT) yield items.slice(start, start + PER_STATEMENT);
}

/** The rows that a query finds or returns, asked for the items in such batches. */
export async function inChunks<Item, Row>(
  items: readonly Item[],
  query: (some: Item[]) => { execute(): Promise<Row[]> },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const some of chunks(items)) rows.push(...(await query(some).execute()));
  return rows;
}

/** The items a few at a time, letting others in after each batch. */
export async function* slices<Item>(items: readonly Item[], size: number): AsyncGenerator<Item[]> {
  for (let start = 0; start < items.length; start += size) {
    yield items.slice(start, start + size);
    await letOthersIn();
  }
}
