import { Button } from "@mantine/core";
import { useState } from "react";
import { UnderMaintenance } from "../features/access/maintenance/under-maintenance.tsx";
import { OtherWays } from "../features/access/security-gate/other-ways.tsx";
import { ApiError, NoAnswer } from "../lib/api.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { Notice } from "../ui/notice.tsx";

/** The last resort: a screen threw, its code did not load, or the panel is silent before anything is known. */
export function Crash({ error }: { error: unknown }) {
  const { crash } = useText();
  const [looking, setLooking] = useState(false);
  /** If the panel is down, a reload would show the browser's own error page, permanently. */
  const reload = async () => {
    setLooking(true);
    const answers = await fetch("/health", { cache: "no-store" }).then(
      () => true,
      () => false,
    );
    if (answers) window.location.reload();
    else setLooking(false);
  };
  if (error instanceof ApiError && error.code === "maintenance.on") return <UnderMaintenance />;
  // A panel that cannot serve now is treated as a silent one: it comes back by itself.
  const silent = error instanceof NoAnswer || (error instanceof ApiError && error.status === 503);
  return (
    <Notice
      ring="bad"
      title={silent ? crash.silentTitle : crash.title}
      lead={silent ? crash.silentLead : crash.lead}
      alert
    >
      {silent && <OtherWays />}
      <Button size="lg" loading={looking} onClick={() => void reload()}>
        {crash.reload}
      </Button>
    </Notice>
  );
}
