import { Button } from "@mantine/core";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Ring } from "../../../ui/ring.tsx";
import classes from "./desk-list.module.css";
import { useStaffSupportWords } from "./words.ts";

interface Props<Row> {
  label: string;
  list: {
    data: { pages: { rows: Row[] }[] } | undefined;
    error: Error | null;
    isError: boolean;
    refetch: () => unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  failed: string;
  keyOf: (row: Row) => string;
  row: (row: Row) => React.ReactNode;
  /** Shown if nobody has written anything at all. */
  none: { title: string; lead: string };
  /** Clears search and filters; null if there are none. */
  onClear: (() => void) | null;
}

/** A list of conversations or tickets that grows downwards. */
export function DeskList<Row>({ label, list, failed, keyOf, row, none, onClear }: Props<Row>) {
  const { list: words } = useStaffSupportWords();
  const rows = list.data?.pages.flatMap((page) => page.rows);
  const empty = onClear === null ? none : { title: words.nothing, lead: words.nothingLead };
  return (
    <div className={classes.scroll}>
      {list.isError && !rows && (
        <div className={classes.failed}>
          <LoadFailed title={failed} error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {!rows && !list.isError && (
        <p className={classes.loading} role="status">
          <Ring state="wait" size={22} />
          {words.loading}
        </p>
      )}
      {rows?.length === 0 && (
        <div className={classes.empty} role="status">
          <Ring state="never" size={56} />
          <p className={classes.emptyTitle}>{empty.title}</p>
          <p>{empty.lead}</p>
          {onClear && (
            <Button variant="outline" style={{ marginTop: 8 }} onClick={onClear}>
              {words.clear}
            </Button>
          )}
        </div>
      )}
      {rows && rows.length > 0 && (
        <ul aria-label={label}>
          {rows.map((one) => (
            <li key={keyOf(one)} className={classes.item}>
              {row(one)}
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className={classes.more}>
          <Button variant="subtle" onClick={() => list.isFetchingNextPage || void list.fetchNextPage()}>
            {list.isFetchingNextPage ? words.loading : words.more}
          </Button>
        </div>
      )}
    </div>
  );
}
