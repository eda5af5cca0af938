import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import type { StaffRole } from "../../club/staff/index.ts";
import { type Claim, type QueueView, queueQuery } from "./staff-queries.ts";

/** Claims per page: what fits next to the list below it. */
export const PAGE_SIZE = 5;

const SORT = "krug.claims-sort";

/** The order that was chosen in this tab. */
export const sortKept = (): QueueSort => (keptForTab(SORT) === "due" ? "due" : "claimed");

export type QueueSort = NonNullable<QueueView["sort"]>;

interface Held {
  key: string;
  rows: readonly Claim[];
  next: string | null;
}

/**
 * A page of the queue that does not move: decided claims stay in place, and new ones wait until the page is turned. Otherwise the
 * next person would slide under a finger that is about to press again.
 */
export function useQueuePage(q: string, role: StaffRole) {
  /** The cursors at which the pages visited so far begin. */
  const [way, setWay] = useState<readonly string[]>([]);
  const [turn, setTurn] = useState(0);
  const [held, setHeld] = useState<Held | null>(null);
  const [sort, setSort] = useState(sortKept);
  const cursor = way.at(-1);
  const queue = useQuery(
    queueQuery(
      { limit: PAGE_SIZE, sort, ...(q === "" ? {} : { q }), ...(cursor === undefined ? {} : { cursor }) },
      role,
    ),
  );
  const read = queue.isPlaceholderData ? undefined : queue.data;
  const key = JSON.stringify([q, sort, cursor ?? null, role, turn]);
  if (read !== undefined && held?.key !== key) setHeld({ key, rows: read.rows, next: read.next });

  const readNow = new Map(read?.rows.map((row) => [row.id, row]));
  const rows = held?.rows.map((row) => readNow.get(row.id) ?? row);
  const isHeld = (id: string) => held?.rows.some((row) => row.id === id);
  const hasMore = held?.next != null || read?.next != null || read?.rows.some(({ id }) => !isHeld(id)) === true;
  return {
    queue,
    rows,
    total: queue.data?.total ?? rows?.length ?? 0,
    /** Whether the panel still lists it as waiting. */
    isWaiting: (id: string) => held?.key !== key || read === undefined || readNow.has(id),
    onPrevious: way.length === 0 ? null : () => setWay(way.slice(0, -1)),
    onNext: !hasMore
      ? null
      : () => {
          const next = held?.next;
          if (next != null) setWay([...way, next]);
          else setTurn(turn + 1);
        },
    toFirst: () => setWay([]),
    sort,
    onSort: (to: QueueSort) => {
      keepForTab(SORT, to);
      setWay([]);
      setSort(to);
    },
  };
}
