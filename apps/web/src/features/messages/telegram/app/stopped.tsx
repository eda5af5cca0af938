import { Button } from "@mantine/core";
import type { ApiError } from "../../../../lib/api.ts";
import { post } from "../../../../lib/telegram-bridge.ts";
import { Notice } from "../../../../ui/notice.tsx";
import { useAppWords } from "./words.ts";

/** Instead of the club: what Telegram passed signs nobody in, or this browser stores nothing for pages in a frame. */
export function Stopped({ why }: { why: ApiError | "noCookies" }) {
  const words = useAppWords();
  const isRefused = why !== "noCookies";
  return (
    <Notice
      ring="warn"
      title={isRefused ? words.stopped : words.noCookies}
      lead={isRefused ? why.message : words.noCookiesLead}
      alert
    >
      {isRefused && (
        <Button size="lg" style={{ marginBottom: 12 }} onClick={() => post("web_app_close")}>
          {words.close}
        </Button>
      )}
      <Button size="lg" variant="outline" onClick={() => post("web_app_open_link", { url: location.origin })}>
        {words.openInBrowser}
      </Button>
    </Notice>
  );
}
