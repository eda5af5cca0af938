import { useStaffWords } from "../../lib/i18n/staff.ts";
import { RowCount } from "../../ui/row-count.tsx";
import { useAlarms } from "./alarms-query.ts";

/** Beside the payments' section: how many claims wait. */
export function ClaimsCount() {
  const { alarms: words } = useStaffWords();
  const count = useAlarms()?.claims ?? 0;
  return <RowCount count={count} spoken={words.claims(count)} />;
}

/** Beside the servers' section: how many do not answer. */
export function GoneCount() {
  const { alarms: words } = useStaffWords();
  const count = useAlarms()?.servers.length ?? 0;
  return <RowCount bad count={count} spoken={words.gone(count)} />;
}
