import { useQuery } from "@tanstack/react-query";
import { clubNow } from "../../../lib/club-clock.ts";
import { Loading } from "../../../ui/loading.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { StaffLink, useViewed } from "../../club/staff/index.ts";
import { MonthsOf } from "./months-of.tsx";
import classes from "./staff-payments.module.css";
import { paymentsOfQuery } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";

/** What one member paid, shown over a month's list. */
export function HistoryDialog({
  member,
  onClose,
}: {
  member: { id: string; displayName: string };
  onClose: () => void;
}) {
  const { history: words, loadFailed } = useStaffPaymentsWords();
  const { viewedRole } = useViewed();
  const payments = useQuery(paymentsOfQuery(member.id, viewedRole));
  return (
    <Sheet onClose={onClose} title={words.title(member.displayName)}>
      <Loading of={payments} failed={loadFailed} room={200} />
      {payments.data && (
        <>
          <MonthsOf payments={payments.data} nowMs={clubNow()} />
          <StaffLink to={`users/${payments.data.current.username}`} className={classes.link}>
            {words.page}
          </StaffLink>
        </>
      )}
    </Sheet>
  );
}
