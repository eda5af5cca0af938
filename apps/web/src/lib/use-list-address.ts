import { useNavigate, useRouterState, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Where the pages before this one begin; the first begins at nothing, which is "". */
    pagesBefore?: string[];
  }
}

type Texts = Record<string, string>;

/**
 * The view of a list, kept in the address so that a link shows the same: filters and sorting by their names, `after` is
 * where the page begins, `page` its number. Where the pages before it begin is kept in the history entry, so that the way
 * back works after a reload; who comes by a link goes back to the first page.
 */
export function useListAddress(pageSize: number) {
  const search = useSearch({ strict: false }) as Record<string, string | number>;
  const asked: Texts = useMemo(
    () => Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)])),
    [search],
  );
  const pagesBefore = useRouterState({ select: ({ location }) => location.state.pagesBefore });
  const navigate = useNavigate();
  const after = asked.after ?? "";
  const page = Math.max(1, Number.parseInt(asked.page ?? "1", 10) || 1);

  const go = useCallback(
    (next: Record<string, string | null>, wish: { replace?: boolean; pagesBefore?: string[] } = {}) =>
      void navigate({
        to: ".",
        search: ((before: Texts) =>
          Object.fromEntries(
            Object.entries({ ...before, ...next })
              .filter(([, value]) => value !== null && value !== "")
              // As a text a number would stand in quotes.
              .map(([name, value]) => [name, /^[1-9]\d{0,9}$/.test(value ?? "") ? Number(value) : value]),
          )) as never,
        replace: wish.replace ?? false,
        state: { pagesBefore: wish.pagesBefore ?? [] },
        resetScroll: false,
      }),
    [navigate],
  );
  /** Another filter or order begins at the first page; null or "" takes it out of the address. */
  const change = useCallback(
    (next: Record<string, string | null>) => go({ page: null, after: null, ...next }, { replace: true }),
    [go],
  );
  return useMemo(
    () => ({
      asked,
      change,
      after: after === "" ? undefined : after,
      /** The number of the page's first row in the whole list. */
      from: (page - 1) * pageSize + 1,
      onPrevious:
        after === ""
          ? null
          : () => {
              const before = pagesBefore ?? [];
              const start = before.at(-1) ?? "";
              const number = start === "" ? 1 : page - 1;
              go({ after: start, page: number === 1 ? null : String(number) }, { pagesBefore: before.slice(0, -1) });
            },
      next: (cursor: string | null) =>
        cursor === null
          ? null
          : () => go({ after: cursor, page: String(page + 1) }, { pagesBefore: [...(pagesBefore ?? []), after] }),
      /** Which columns are not shown; `first` until the address says it: '-' is none. */
      hiding: (first: string) => ({
        hidden: new Set((asked.hide ?? first).split(",")),
        onChange: (hidden: ReadonlySet<string>) =>
          change({ hide: hidden.size === 0 ? "-" : [...hidden].filter((key) => key !== "-").join(",") }),
      }),
    }),
    [asked, change, after, page, pageSize, pagesBefore, go],
  );
}
