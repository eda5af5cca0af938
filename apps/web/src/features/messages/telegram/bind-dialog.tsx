import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { Sheet } from "../../../ui/sheet.tsx";
import type { Me } from "../../access/auth/index.ts";
import { Linking } from "./linking.tsx";
import { telegramQuery } from "./queries.ts";

interface Props {
  me: Me;
  onClose: () => void;
  /** Returns to what required the link. */
  onLinked: () => void;
}

/** The bind prompt, before a member's next config. */
export function BindDialog({ me, onClose, onLinked }: Props) {
  const { telegram } = useCircle();
  const { dashboard } = useMemberText();
  const connected = useQuery(telegramQuery).data?.telegramConnected ?? false;
  return (
    <Sheet
      onClose={onClose}
      title={telegram.bindTitle}
      footer={
        connected && (
          <Button fullWidth size="lg" onClick={onLinked}>
            {dashboard.create}
          </Button>
        )
      }
    >
      <Linking me={me} />
    </Sheet>
  );
}
