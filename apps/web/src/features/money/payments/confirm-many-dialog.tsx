import { useQuery } from "@tanstack/react-query";
import { apiPage } from "../../../lib/api.ts";
import { Loading } from "../../../ui/loading.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { asViewed, useViewed } from "../../club/staff/index.ts";
import { DecideMany, type DecideManyProps } from "./decide-many.tsx";
import { useManyWords } from "./many-words.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";

const MOST_AT_ONCE = 500;

/** Waiting claims, to be compared with a bank's list and decided together. Nothing is chosen before somebody chooses it. */
export function ConfirmManyDialog({ onDecided, onClose }: Pick<DecideManyProps, "onDecided" | "onClose">) {
  const { loadFailed } = useStaffPaymentsWords();
  const words = useManyWords();
  const { viewedRole } = useViewed();
  const claims = useQuery({
    // As it was when opened: rows that come or go meanwhile must not move under a finger.
    queryKey: ["claims-to-confirm", viewedRole],
    queryFn: ({ signal }) =>
      apiPage("GET /admin/payments/claims", { query: { limit: MOST_AT_ONCE, ...asViewed(viewedRole) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Sheet
      onClose={onClose}
      title={words.title}
      parts={
        claims.data && (
          <DecideMany claims={claims.data.rows} waiting={claims.data.total} onDecided={onDecided} onClose={onClose} />
        )
      }
    >
      <Loading of={claims} failed={loadFailed} room={200} />
    </Sheet>
  );
}
