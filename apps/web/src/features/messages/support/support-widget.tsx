import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { useKeyboardHeight } from "../../../lib/use-keyboard-height.ts";
import { Segments } from "../../../ui/segments.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import type { Me } from "../../access/auth/index.ts";
import { FloatingPanel } from "./floating-panel.tsx";
import { OwnConversation } from "./own-conversation.tsx";
import { unreadQuery } from "./queries.ts";
import classes from "./support-widget.module.css";
import { Tickets } from "./tickets.tsx";

/** The chat with support and the member's tickets: a sheet on a phone, a panel next to the page on a desktop. */
export function SupportWidget({ me, onClose }: { me: Me; onClose: () => void }) {
  const words = useSupportWords();
  // Fixed while it is open: turning a phone must not lose a draft.
  const [phone] = useState(() => window.matchMedia("(max-width: 47.99em)").matches);
  const keyboardHeight = useKeyboardHeight();
  const { data: unread } = useQuery(unreadQuery);
  const [section, setSection] = useState<"chat" | "tickets">("chat");
  const inTickets = unread ? unread.unread - unread.chat : 0;
  const inside = (
    <div className={classes.inside} style={{ paddingBottom: keyboardHeight }}>
      <div className={classes.sections}>
        <Segments
          label={words.section}
          labelHidden
          value={section}
          onChange={setSection}
          choices={[
            { value: "chat", label: words.chat },
            { value: "tickets", label: inTickets > 0 ? `${words.tickets} (${inTickets})` : words.tickets },
          ]}
        />
      </div>
      {section === "chat" ? <OwnConversation me={me} ticketId={null} /> : <Tickets me={me} />}
    </div>
  );
  return phone ? (
    <Sheet onClose={onClose} title={words.title} parts={inside} />
  ) : (
    <FloatingPanel title={words.title} onClose={onClose}>
      {inside}
    </FloatingPanel>
  );
}
