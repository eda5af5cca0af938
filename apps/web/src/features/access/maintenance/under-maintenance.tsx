import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { maintenanceQuery, stoppedQuery } from "./queries.ts";

const LOOK_EVERY_MS = 10_000;

/** Replaces a member's page while the club is under maintenance. It disappears by itself. */
export function UnderMaintenance() {
  const { maintenance, failure } = useText();
  usePageTitle(maintenance.title);
  const queryClient = useQueryClient();
  const router = useRouter();
  const { data, isPlaceholderData, isFetching, refetch } = useQuery({
    ...maintenanceQuery,
    staleTime: 0,
    refetchInterval: LOOK_EVERY_MS,
  });
  const isOver = data === false && !isPlaceholderData && !isFetching;
  useEffect(() => {
    if (!isOver) return;
    queryClient.setQueryData(stoppedQuery.queryKey, false);
    void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === "error" });
    void router.invalidate();
  }, [isOver, queryClient, router]);
  return (
    <Notice ring="wait" title={maintenance.title} lead={failure.maintenance} alert>
      <p style={{ marginBottom: 24 }}>{maintenance.lead}</p>
      <Button size="lg" variant="outline" onClick={() => void refetch()}>
        {maintenance.check}
      </Button>
    </Notice>
  );
}
