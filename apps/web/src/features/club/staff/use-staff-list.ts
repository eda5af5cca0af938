import { useMediaQuery } from "@mantine/hooks";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import type { AdminSearch } from "../../../lib/admin-search.ts";
import { ApiError } from "../../../lib/api.ts";
import { useListAddress } from "../../../lib/use-list-address.ts";
import { type Page, pageOf, pagesIn } from "../../../ui/data-table.tsx";
import { type StaffRole, useViewed } from "./frame.tsx";

/** Rows of a page. The last one may be longer by the spare ones, so that no page has only a row or two. */
const SIZES = { size: 50, spare: 5 };
const CSV_PAGE_SIZE = 1000;

/** A list that the panel sends page by page. */
export interface StaffList<View, Row> {
  /** Its place in the cache. */
  key: readonly unknown[];
  read: (view: View, role: StaffRole, limit: number, signal?: AbortSignal) => Promise<Page<Row>>;
  /** How often it is refetched by itself, ms. */
  refetchInterval?: number;
}

/** Next to the sections there is less room than a whole table needs. */
const NARROW = "(max-width: 79.99em)";

export interface HiddenFirst {
  always: readonly string[];
  narrow: readonly string[];
}

/**
 * What every list of staff starts with: the view that the address asks for, its page and the way to the others, hidden columns,
 * and the whole list for a file.
 * @param wish         what the address requests
 * @param hiddenFirst  columns that are hidden until the address says otherwise: everywhere, and where not all would fit
 */
export function useStaffList<View extends object, Row>(
  wish: (asked: AdminSearch) => { list: StaffList<View, Row>; view: View },
  hiddenFirst: HiddenFirst = { always: [], narrow: [] },
) {
  const { viewedRole } = useViewed();
  const address = useListAddress(SIZES.size);
  const { asked, change, after } = address;
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false }) === true;
  // What the list is sorted by is seen.
  const narrow = hiddenFirst.narrow.filter((key) => key !== asked.sort);
  const { list, view } = wish(asked);
  const shown = {
    ...view,
    spare: SIZES.spare,
    ...(after === undefined ? {} : { cursor: after }),
    ...(address.skip === 0 ? {} : { skip: address.skip }),
  };
  const place = JSON.stringify(list.key);
  const page = useQuery({
    queryKey: [...list.key, shown, viewedRole],
    queryFn: ({ signal }) => list.read(shown, viewedRole, SIZES.size, signal),
    // The previous page stays until the next one has loaded. Another list's page does not.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey.slice(0, list.key.length)) === place ? before : undefined,
    ...(list.refetchInterval === undefined ? {} : { refetchInterval: list.refetchInterval }),
  });
  const instead = insteadOf(page, address);
  const { toPage } = address;
  useEffect(() => {
    // Going back skips the page that does not exist.
    if (typeof instead === "number") toPage(instead, { replace: true });
  }, [instead, toPage]);
  return {
    asked,
    change,
    view,
    viewedRole,
    q: asked.q ?? "",
    search: useCallback((typed: string) => change({ q: typed }), [change]),
    hiding: address.hiding([...hiddenFirst.always, ...(isNarrow ? narrow : [])]),
    /** Names what is listed, whatever the page. */
    listed: JSON.stringify([list.key, view, viewedRole]),
    rows: page.data?.rows,
    total: page.data?.total ?? null,
    /** For the table. `failed` is its text if the list could not be read. */
    pages: (failed: string) => pageOf({ page, place: address, sizes: SIZES, failed, instead }),
    /** For the file: the page that starts at the cursor. */
    pageFrom: (cursor: string | undefined) =>
      list.read(cursor === undefined ? view : { ...view, cursor }, viewedRole, CSV_PAGE_SIZE),
  };
}

/**
 * What to show instead of a page that the list does not have: the number of another one, or 'past' if nobody knows which is the
 * last, because so many rows are not counted. null: the list has the page, or has not answered yet.
 */
function insteadOf<Row>(page: UseQueryResult<Page<Row>>, place: ReturnType<typeof useListAddress>) {
  // The cursor was truncated, belongs to another order or names a deleted row. The number still says where it was.
  if (page.error instanceof ApiError && page.error.details.field === "cursor") return place.page;
  if (page.data === undefined || page.isPlaceholderData) return null;
  const { rows, total } = page.data;
  const last = pagesIn(total, SIZES);
  if (place.after !== undefined) return rows.length === 0 ? Math.min(place.page, last ?? place.page) : null;
  if (place.page === 1 || (rows.length > 0 && (last === null || place.page <= last))) return null;
  return last !== null && last < place.page ? last : "past";
}
