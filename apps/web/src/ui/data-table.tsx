import { ActionIcon, Button, Checkbox } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronsLeft,
  IconChevronsRight,
  IconRefresh,
  IconX,
} from "@tabler/icons-react";
import "@mantine/core/styles/Checkbox.layer.css";
import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { inClub } from "../lib/club-clock.ts";
import { firstFocusable } from "../lib/first-focusable.ts";
import { ageText } from "../lib/format.ts";
import { useStaffWords } from "../lib/i18n/staff.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import type { useListAddress } from "../lib/use-list-address.ts";
import { useNow } from "../lib/use-now.ts";
import classes from "./data-table.module.css";
import { LoadFailed } from "./load-failed.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { Ring } from "./ring.tsx";

export interface Column<Row> {
  key: string;
  title: string;
  /** Absent: it is only in the file. */
  cell?: (row: Row) => React.ReactNode;
  /** Numbers are right-aligned. */
  right?: boolean;
  /** The panel can sort by it, under this column's key. */
  sortable?: boolean;
  /** It cannot be hidden. */
  fixed?: boolean;
  /** Its text in a file; absent: it is not in the file. Dates as YYYY-MM-DD, with the time after a space. */
  text?: (row: Row) => string | number;
  /** Its title in the file, if that must name the unit. */
  fileTitle?: string;
}

export interface Sort {
  by: string;
  down: boolean;
}

interface Turning {
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  /** The page's number, from 1. */
  number: number;
  /** How many pages there are; null if that is not known. */
  count: number | null;
  onGo: (number: number) => void;
}

interface Selection {
  keys: ReadonlySet<string>;
  onChange: (keys: Set<string>) => void;
  /** Selects the rows of all pages, if an action supports that. */
  all?: { isTaken: boolean; onTake: () => void };
  /** Actions for the selected rows. */
  actions: React.ReactNode;
}

interface Props<Row> {
  /** Names the table for those who cannot see its screen. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined until the first answer. */
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** The same row on a phone: name, state, three facts. */
  card: (row: Row) => React.ReactNode;
  /** The icon before a card. */
  lead?: (row: Row) => React.ReactNode;
  /** The most common action for a row: a button next to the menu, on a phone below the card. */
  act?: (row: Row) => React.ReactNode;
  /** The row's other actions. */
  menu?: (row: Row) => React.ReactNode;
  hidden?: ReadonlySet<string>;
  sort?: Sort | undefined;
  onSort?: ((sort: Sort) => void) | undefined;
  selection?: Selection;
  pages: {
    from: number;
    total: number | null;
    /** null: it is one page. */
    turning: Turning | null;
  };
  /** When the rows were read, ms. */
  readAt: number;
  onRefresh: () => void;
  refreshing: boolean;
  /** What could not be loaded, and why: there are no rows, or no fresh ones. */
  failed: { title: string; error: unknown } | null;
  /** Set if the list ends before this page: goes back to its beginning. */
  onPastEnd?: (() => void) | null;
  empty: React.ReactNode;
}

/** A page of a list, as the panel sends it. */
export interface Page<Row> {
  rows: readonly Row[];
  /** null if counting them would take too long. */
  total: number | null;
  /** Where the next page begins. */
  next: string | null;
}

interface Asked<Row> {
  page: UseQueryResult<Page<Row>>;
  /** The page's position in the list. */
  place: Pick<ReturnType<typeof useListAddress>, "from" | "onPrevious" | "next" | "page" | "toPage">;
  sizes: Sizes;
  /** The error text if it could not be loaded. */
  failed: string;
  /** The number of the page that replaces it at once, or 'past': the list ends before it. */
  instead: number | "past" | null;
}

interface Sizes {
  /** Rows of a page. */
  size: number;
  /** By how many rows the last page may be longer. */
  spare: number;
}

/** How many pages a list has; null if its rows are not counted. */
export const pagesIn = (total: number | null, { size, spare }: Sizes) =>
  total === null ? null : Math.max(1, Math.ceil((total - spare) / size));

/** What a table shows of a list that the panel sends page by page. */
export const pageOf = <Row,>({ page, place, sizes, failed, instead }: Asked<Row>) => {
  const { rows, total = null, next = null } = page.data ?? {};
  // An empty page that was loaded before this one does not make the list empty.
  const isUnknown = typeof instead === "number" || (page.isPlaceholderData && rows?.length === 0 && total !== 0);
  return {
    rows: isUnknown ? undefined : rows,
    pages: {
      from: place.from,
      total,
      turning: {
        onPrevious: place.onPrevious,
        onNext: place.next(next),
        number: place.page,
        count: pagesIn(total, sizes),
        onGo: (number: number) => place.toPage(number),
      },
    },
    readAt: page.dataUpdatedAt,
    onRefresh: () => void page.refetch(),
    refreshing: page.isFetching,
    failed: page.isError && typeof instead !== "number" ? { title: failed, error: page.error } : null,
    onPastEnd: instead === "past" ? () => place.toPage(1) : null,
  };
};

const SKELETON_ROWS = 8;

/**
 * A list of the administration area: a table with a head, on a phone cards. The panel sorts, pages and filters. The
 * screen stores the view in the address (`useListAddress`).
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, failed, onPastEnd, empty, selection, readAt, onRefresh, refreshing } = props;
  const { table: words } = useStaffWords();
  const { age } = useText();
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false }) ?? false;
  const nowMs = useNow(15_000);
  const { from, total, turning } = props.pages;
  /** On a phone the cards get their boxes when somebody is about to tick them. */
  const [isTicking, setTicking] = useState(false);
  return (
    <>
      {failed && (
        <div className={classes.failed}>
          <LoadFailed {...failed} onRetry={onRefresh} />
        </div>
      )}
      {rows === undefined && failed ? null : (
        <section className={classes.panel} aria-label={label} aria-busy={rows === undefined || refreshing}>
          {selection && rows?.length !== 0 && (
            <SelectionBar
              selection={selection}
              total={total}
              cards={phone ? { keys: rows?.map(props.keyOf) ?? [], isTicking, onTicking: setTicking } : null}
            />
          )}
          {rows?.length === 0 ? (
            <div className={classes.empty}>
              {onPastEnd ? <NothingFound text={words.pastEnd} clear={words.firstPage} onClear={onPastEnd} /> : empty}
            </div>
          ) : phone ? (
            <Cards {...props} isTicking={isTicking} />
          ) : (
            <Rows {...props} />
          )}
          <div className={classes.foot}>
            <span className={classes.range}>
              {rows && rows.length > 0 && words.range(from, from + rows.length - 1, total)}
            </span>
            {readAt > 0 && (
              <button
                type="button"
                className={`${classes.age} k-focus`}
                onClick={onRefresh}
                aria-label={`${words.refresh}, ${words.dataAge(ageText(inClub(readAt), nowMs, age))}`}
              >
                {refreshing ? (
                  <Ring state="wait" size={18} />
                ) : (
                  <IconRefresh size={18} stroke={1.6} aria-hidden="true" />
                )}
                <span>{words.dataAge(ageText(inClub(readAt), nowMs, age))}</span>
              </button>
            )}
            {turning && <Pages {...turning} />}
          </div>
        </section>
      )}
    </>
  );
}

interface BarProps {
  selection: Selection;
  total: number | null;
  /** On a phone; null: a table, whose head has the box for the page. */
  cards: { keys: readonly string[]; isTicking: boolean; onTicking: (isTicking: boolean) => void } | null;
}

/**
 * How many rows are selected, and what can be done with them. Its place is reserved before anything is selected: the first tick
 * moves no row under the finger.
 */
function SelectionBar({ selection, total, cards }: BarProps) {
  const { table: words } = useStaffWords();
  const bar = useRef<HTMLDivElement>(null);
  const selected = selection.all?.isTaken && total !== null ? total : selection.keys.size;
  const isNone = selected === 0;
  const isTicking = cards?.isTicking ?? false;
  const canTakeAll =
    selection.all && !selection.all.isTaken && total !== null && selected > 1 && selected < total
      ? selection.all.onTake
      : null;
  const before = useRef({ isNone, isTicking });
  useEffect(() => {
    const isEnd = (isNone && !before.current.isNone) || isTicking !== before.current.isTicking;
    before.current = { isNone, isTicking };
    // What was pressed is gone.
    if (!isEnd || document.activeElement !== document.body) return;
    (bar.current && (firstFocusable(bar.current) ?? bar.current))?.focus({ preventScroll: true });
  }, [isNone, isTicking]);
  return (
    <div ref={bar} tabIndex={-1} className={classes.bulk} data-idle={isNone && !isTicking}>
      {isNone && !isTicking ? (
        cards ? (
          <Button variant="subtle" onClick={() => cards.onTicking(true)}>
            {words.selectSeveral}
          </Button>
        ) : (
          words.selectSome
        )
      ) : (
        <>
          {cards && <PageBox selection={selection} keys={cards.keys} />}
          <span className={classes.bulkCount} role="status">
            {words.selected(selected)}
          </span>
          <div className={classes.bulkActions}>
            {canTakeAll && (
              <Button variant="subtle" onClick={canTakeAll}>
                {words.selectMatching(total ?? 0)}
              </Button>
            )}
            {isNone ? words.selectSome : selection.actions}
          </div>
          <ActionIcon
            aria-label={words.unselect}
            onClick={() => {
              selection.onChange(new Set());
              cards?.onTicking(false);
            }}
          >
            <IconX size={20} stroke={1.6} />
          </ActionIcon>
        </>
      )}
    </div>
  );
}

/** Selects the rows of this page. */
function PageBox({ selection, keys }: { selection: Selection; keys: readonly string[] }) {
  const { table: words } = useStaffWords();
  const taken = keys.filter((key) => selection.keys.has(key)).length;
  return (
    <Checkbox
      aria-label={words.selectAll}
      checked={taken > 0 && taken === keys.length}
      indeterminate={taken > 0 && taken < keys.length}
      disabled={keys.length === 0}
      onChange={() => selection.onChange(withPage(selection.keys, keys, taken < keys.length))}
    />
  );
}

/** Links to other pages: the next ones, both ends and, if they are counted, any by its number. */
function Pages({ onPrevious, onNext, number, count, onGo }: Turning) {
  const { table: words } = useStaffWords();
  if (!onPrevious && !onNext) return null;
  return (
    <nav className={classes.pages} aria-label={words.pages}>
      {onPrevious && (
        <ActionIcon aria-label={words.firstPage} onClick={() => onGo(1)}>
          <IconChevronsLeft size={20} stroke={1.6} />
        </ActionIcon>
      )}
      <Button variant="subtle" disabled={!onPrevious} onClick={() => onPrevious?.()}>
        {words.previous}
      </Button>
      {count !== null && <PageNumber key={number} number={number} count={count} onGo={onGo} />}
      <Button variant="subtle" disabled={!onNext} onClick={() => onNext?.()}>
        {words.next}
      </Button>
      {onNext && count !== null && (
        <ActionIcon aria-label={words.lastPage} onClick={() => onGo(count)}>
          <IconChevronsRight size={20} stroke={1.6} />
        </ActionIcon>
      )}
    </nav>
  );
}

function PageNumber({ number, count, onGo }: Pick<Turning, "number" | "onGo"> & { count: number }) {
  const { table: words } = useStaffWords();
  const [typed, setTyped] = useState(String(number));
  return (
    <form
      className={classes.pageNumber}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = Math.min(count, Math.max(1, Number(typed) || number));
        setTyped(String(wanted));
        if (wanted !== number) onGo(wanted);
      }}
    >
      <input
        className="k-focus"
        inputMode="numeric"
        aria-label={words.page}
        value={typed}
        size={Math.max(2, String(count).length)}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value.replace(/\D/g, "").slice(0, 7))}
      />
      {words.ofPages(count)}
    </form>
  );
}

/** Toggles one box. */
const turned = (keys: ReadonlySet<string>, key: string) => {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
};

/** Selects or deselects a page's boxes. Those of other pages stay. */
const withPage = (keys: ReadonlySet<string>, page: readonly string[], isTaken: boolean) => {
  const others = [...keys].filter((key) => !page.includes(key));
  return new Set(isTaken ? [...others, ...page] : others);
};

function Rows<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, nameOf, act, menu, hidden, sort, onSort, selection } = props;
  const { table: words } = useStaffWords();
  const shown = columns.filter(({ key, cell }) => cell && !hidden?.has(key));
  const keys = rows?.map(keyOf) ?? [];
  const isActedOn = act !== undefined || menu !== undefined;
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={classes.box}>
                <PageBox selection={selection} keys={keys} />
              </th>
            )}
            {shown.map((column) => (
              <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
            {isActedOn && <td className={classes.doing} />}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => {
            const key = keyOf(row);
            const isTaken = selection?.keys.has(key) ?? false;
            return (
              <tr key={key} data-taken={isTaken || undefined}>
                {selection && (
                  <td className={classes.box}>
                    <Checkbox
                      aria-label={words.selectOne(nameOf(row))}
                      checked={isTaken}
                      onChange={() => selection.onChange(turned(selection.keys, key))}
                    />
                  </td>
                )}
                {shown.map((column) => (
                  <td key={column.key} className={column.right ? classes.right : undefined}>
                    {column.cell?.(row)}
                  </td>
                ))}
                {isActedOn && (
                  <td className={classes.doing}>
                    <span>
                      {act?.(row)}
                      {menu?.(row)}
                    </span>
                  </td>
                )}
              </tr>
            );
          })}
          {rows === undefined &&
            Array.from({ length: SKELETON_ROWS }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row of nothing is its place
              <tr key={row}>
                {selection && <td className={classes.box} />}
                {shown.map(({ key }) => (
                  <td key={key}>
                    <span className={classes.bone} />
                  </td>
                ))}
                {isActedOn && <td className={classes.doing} />}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function HeadCell<Row>({ column, sort, onSort }: { column: Column<Row> } & Pick<Props<Row>, "sort" | "onSort">) {
  const { key, title, right, sortable } = column;
  const sorted = sort?.by === key;
  const Arrow = sort?.down ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      className={right ? classes.right : undefined}
      aria-sort={sorted ? (sort.down ? "descending" : "ascending") : undefined}
    >
      {sortable && onSort ? (
        <button
          type="button"
          className={`${classes.sort} k-focus`}
          data-sorted={sorted || undefined}
          // Numbers and times start with the largest, names with A.
          onClick={() => onSort({ by: key, down: sorted ? !sort.down : right === true })}
        >
          {title}
          {sorted && <Arrow size={16} stroke={1.8} aria-hidden="true" />}
        </button>
      ) : (
        title
      )}
    </th>
  );
}

function Cards<Row>(props: Props<Row> & { isTicking: boolean }) {
  const { label, rows, keyOf, nameOf, card, lead, act, menu, selection, isTicking } = props;
  const { table: words } = useStaffWords();
  const selecting = isTicking || (selection?.keys.size ?? 0) > 0;
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows?.map((row) => {
        const key = keyOf(row);
        const isTaken = selection?.keys.has(key) ?? false;
        return (
          <li key={key} className={classes.card} data-taken={isTaken || undefined}>
            {selecting && selection ? (
              <Checkbox
                className={classes.cardBox ?? ""}
                aria-label={words.selectOne(nameOf(row))}
                checked={isTaken}
                onChange={() => selection.onChange(turned(selection.keys, key))}
              />
            ) : (
              lead && <span className={classes.lead}>{lead(row)}</span>
            )}
            <div className={classes.cardBody}>
              {card(row)}
              {act && <div className={classes.cardAct}>{act(row)}</div>}
            </div>
            {menu && <div className={classes.cardMenu}>{menu(row)}</div>}
          </li>
        );
      })}
      {rows === undefined &&
        Array.from({ length: SKELETON_ROWS }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row of nothing is its place
          <li key={row} className={classes.card} aria-hidden="true">
            <div className={classes.cardBody}>
              <span className={classes.bone} />
              <span className={classes.bone} data-short />
            </div>
          </li>
        ))}
    </ul>
  );
}
