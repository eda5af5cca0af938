import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import type { AdminSearch } from "../../lib/admin-search.ts";
import { useListAddress } from "../../lib/use-list-address.ts";
import { type Page, pageOf } from "../../ui/data-table.tsx";
import { type StaffRole, useViewed } from "./frame.tsx";

const PAGE_SIZE = 50;
/** The last page may be longer by these, so that no page is left with a row or two. */
const SPARE_ROWS = 5;
const CSV_PAGE_SIZE = 1000;

/** A list that the panel gives page by page. */
export interface StaffList<View, Row> {
  /** Its place in the cache. */
  key: readonly unknown[];
  read: (view: View, role: StaffRole, limit: number, signal?: AbortSignal) => Promise<Page<Row>>;
  /** How often it is read again by itself, ms. */
  refetchInterval?: number;
}

/**
 * What every list of staff starts with: the view that the address asks for, its page and the way to the others, hidden columns,
 * and the whole list for a file.
 * @param wish         what an address asks for
 * @param hiddenFirst  columns that are hidden until the address says otherwise
 */
export function useStaffList<View extends object, Row>(
  wish: (asked: AdminSearch) => { list: StaffList<View, Row>; view: View },
  hiddenFirst = "",
) {
  const { viewedRole, mayModify } = useViewed();
  const address = useListAddress(PAGE_SIZE);
  const { asked, change, after } = address;
  const { list, view } = wish(asked);
  const shown = {
    ...view,
    spare: SPARE_ROWS,
    ...(after === undefined ? {} : { cursor: after }),
    ...(address.skip === 0 ? {} : { skip: address.skip }),
  };
  const place = JSON.stringify(list.key);
  const page = useQuery({
    queryKey: [...list.key, shown, viewedRole],
    queryFn: ({ signal }) => list.read(shown, viewedRole, PAGE_SIZE, signal),
    // The page before stays until the next one is there; that of another list does not.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey.slice(0, list.key.length)) === place ? before : undefined,
    ...(list.refetchInterval === undefined ? {} : { refetchInterval: list.refetchInterval }),
  });
  return {
    asked,
    change,
    view,
    viewedRole,
    mayModify,
    q: asked.q ?? "",
    search: useCallback((typed: string) => change({ q: typed }), [change]),
    hiding: address.hiding(hiddenFirst),
    /** Names what is listed, whatever the page. */
    listed: JSON.stringify([list.key, view, viewedRole]),
    rows: page.data?.rows,
    total: page.data?.total ?? null,
    /** For the table; `failed` is what it says where the list could not be read. */
    pages: (failed: string) => pageOf({ page, place: address, size: PAGE_SIZE, spare: SPARE_ROWS, failed }),
    /** For the file: the page that begins at the cursor. */
    pageFrom: (cursor: string | undefined) =>
      list.read(cursor === undefined ? view : { ...view, cursor }, viewedRole, CSV_PAGE_SIZE),
  };
}
