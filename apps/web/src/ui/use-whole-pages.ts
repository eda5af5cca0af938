import { useState } from "react";

const ON_A_PAGE = 50;

/**
 * Pages for a table whose list the panel sends whole, which may have hundreds of rows: the page's rows and `DataTable`'s `pages`.
 * `head`: the id of what a page is read from. Another `subject` (a search, a server) starts at the first page.
 */
export function useWholePages<Row>(rows: readonly Row[] | undefined, head: string, subject: string) {
  const [turned, setTurned] = useState({ subject, to: 1 });
  const total = rows?.length ?? null;
  const count = Math.max(1, Math.ceil((total ?? 0) / ON_A_PAGE));
  const number = turned.subject === subject ? Math.min(count, turned.to) : 1;
  const onGo = (to: number) => {
    setTurned({ subject, to });
    document.getElementById(head)?.scrollIntoView();
  };
  const skipped = (number - 1) * ON_A_PAGE;
  return {
    rows: rows?.slice(skipped, skipped + ON_A_PAGE),
    pages: {
      from: skipped + 1,
      total,
      turning:
        count === 1
          ? null
          : {
              onPrevious: number === 1 ? null : () => onGo(number - 1),
              onNext: number === count ? null : () => onGo(number + 1),
              number,
              count,
              onGo,
            },
    },
  };
}
