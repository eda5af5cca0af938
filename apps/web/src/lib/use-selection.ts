import { useState } from "react";

/** The selection in a list. `page` names what is shown: a selection on one page does not carry over to another. */
export function useSelection(page: string) {
  const [chosen, setChosen] = useState<{ page: string; keys: ReadonlySet<string> }>({ page, keys: new Set() });
  return {
    keys: chosen.page === page ? chosen.keys : new Set<string>(),
    choose: (keys: ReadonlySet<string>) => setChosen({ page, keys }),
  };
}
