import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { Chart } from "./chart.tsx";
import { trafficQuery } from "./queries.ts";
import { useStatisticsWords } from "./words.ts";

const SPANS = ["month", "year"] as const;

/** Traffic of one member's devices, by the days of a month or the months of a year, including deleted devices. */
export function TrafficOf({ memberId, nowMs }: { memberId: string; nowMs: number }) {
  const words = useStatisticsWords();
  const { viewedRole } = useViewed();
  const [span, setSpan] = useState<(typeof SPANS)[number]>("month");
  const traffic = useQuery(trafficQuery({ span }, viewedRole, memberId));
  if (traffic.data)
    return (
      <Chart traffic={traffic.data} nowMs={nowMs}>
        <Segments
          label={words.span}
          labelHidden
          value={span}
          onChange={setSpan}
          choices={SPANS.map((value) => ({ value, label: words[value] }))}
        />
      </Chart>
    );
  if (traffic.isError)
    return <LoadFailed title={words.failed} error={traffic.error} onRetry={() => void traffic.refetch()} />;
  return <Waiting label={words.loading} room={360} />;
}
