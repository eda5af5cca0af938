import { RowCount } from "../../../ui/row-count.tsx";
import { useAlarms } from "./alarms-query.ts";
import { useAlarmsWords } from "./alarms-words.ts";

/** Next to the payments section: how many claims wait. */
export function ClaimsCount() {
  const words = useAlarmsWords();
  const count = useAlarms()?.claims ?? 0;
  return <RowCount count={count} spoken={words.claims(count)} />;
}

/** Next to the servers section: how many do not answer. */
export function GoneCount() {
  const words = useAlarmsWords();
  const count = useAlarms()?.servers.length ?? 0;
  return <RowCount bad count={count} spoken={words.gone(count)} />;
}
