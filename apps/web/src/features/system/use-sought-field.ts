import { useEffect } from "react";
import { useListAddress } from "../../lib/use-list-address.ts";

/** Leads to the setting that a link names with `set`, once its form is there. */
export function useSoughtField() {
  const { asked, change } = useListAddress(1);
  const sought = asked.set;
  useEffect(() => {
    const field = sought === undefined ? undefined : document.getElementsByName(sought)[0];
    if (field === undefined) return;
    field.focus();
    change({ set: null });
  }, [sought, change]);
}
