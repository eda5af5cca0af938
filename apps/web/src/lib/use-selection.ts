import { useState } from "react";

/** What is chosen of a list. `page` names what is shown of it: what was chosen on one page is no choice on another. */
export function useSelection(page: string) {
  const [chosen, setChosen] = useState<{ page: string; keys: ReadonlySet<string> }>({ page, keys: new Set() });
  return {
    keys: chosen.page === page ? chosen.keys : new Set<string>(),
    choose: (keys: ReadonlySet<string>) => setChosen({ page, keys }),
  };
}
