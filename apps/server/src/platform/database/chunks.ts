/** Both engines accept this many values in one statement. */
const PER_STATEMENT = 500;

/** The items in batches that fit one statement. */
export function* chunks<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += PER_STATEMENT) yield items.slice(start, start + PER_STATEMENT);
}
