import { useNavigate, useRouterState, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { AdminSearch } from "./admin-search.ts";
import { readable } from "./readable-search.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Where the pages before this one begin. The first begins at "". */
    pagesBefore?: string[];
  }
}

/** The panel skips no more rows than this (packages/contract/src/fields.ts), and no club has so many. */
const FURTHEST_ROW = 1_000_000;

/** null or "" removes it from the address. */
type Change = { [Name in keyof AdminSearch]: string | null };

/**
 * The view of a list, stored in the address so that a link shows the same: filters and sorting by their names, `after` is where the
 * page begins, `page` its number. A page that was jumped to has only a number. The history entry holds where the earlier pages
 * begin, so that going back follows the same pages. From a link it goes by numbers.
 */
export function useListAddress(pageSize: number) {
  const said = useSearch({ from: "/admin/$" });
  const asked = useMemo(() => readable(said), [said]);
  const pagesBefore = useRouterState({ select: ({ location }) => location.state.pagesBefore });
  const navigate = useNavigate({ from: "/admin/$" });
  const after = asked.after ?? "";
  const page = Math.min(FURTHEST_ROW / pageSize, Number(asked.page ?? 1));

  const go = useCallback(
    (next: Change, wish: { replace?: boolean; pagesBefore?: string[]; isTurn?: boolean } = {}) =>
      void navigate({
        to: ".",
        search: (before) =>
          Object.fromEntries(
            Object.entries({ ...readable(before), ...next }).filter(([, value]) => value),
          ) as AdminSearch,
        replace: wish.replace ?? false,
        state: { pagesBefore: wish.pagesBefore ?? [] },
        // Another page is read from its beginning.
        resetScroll: wish.isTurn ?? false,
      }),
    [navigate],
  );
  const toPage = useCallback(
    (number: number, wish: { replace?: boolean } = {}) =>
      go({ after: null, page: number <= 1 ? null : String(number) }, { ...wish, isTurn: !wish.replace }),
    [go],
  );
  /** Another filter or order starts at the first page. */
  const change = useCallback((next: Change) => go({ page: null, after: null, ...next }, { replace: true }), [go]);
  return useMemo(
    () => ({
      asked,
      change,
      after: after === "" ? undefined : after,
      /** How many rows precede a page that has only a number. */
      skip: after === "" ? (page - 1) * pageSize : 0,
      page,
      toPage,
      /** The number of the page's first row in the whole list. */
      from: (page - 1) * pageSize + 1,
      onPrevious:
        after === "" && page === 1
          ? null
          : () => {
              const start = pagesBefore?.at(-1);
              if (start === undefined) return toPage(page - 1);
              const number = page === 2 ? null : String(page - 1);
              go({ after: start, page: number }, { pagesBefore: pagesBefore?.slice(0, -1) ?? [], isTurn: true });
            },
      next: (cursor: string | null) =>
        cursor === null
          ? null
          : () =>
              go(
                { after: cursor, page: String(page + 1) },
                { pagesBefore: [...(pagesBefore ?? []), after], isTurn: true },
              ),
      /** Which columns are not shown; `first` until the address says it: '-' is none. */
      hiding: (first: readonly string[]) => ({
        hidden: new Set(asked.hide?.split(",") ?? first),
        onChange: (hidden: ReadonlySet<string>) =>
          change({ hide: hidden.size === 0 ? "-" : [...hidden].filter((key) => key !== "-").join(",") }),
      }),
    }),
    [asked, change, after, page, pageSize, pagesBefore, go, toPage],
  );
}
