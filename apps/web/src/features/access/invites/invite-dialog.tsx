import { useCircle } from "../../../lib/i18n/circle.ts";
import { Sheet } from "../../../ui/sheet.tsx";
import type { Me } from "../auth/index.ts";
import { Friends } from "./friends.tsx";
import classes from "./invite-dialog.module.css";
import { OwnCode } from "./own-code.tsx";

/** The member's code for a friend, and the friends who joined. */
export function InviteDialog({ me, onClose, onPay }: { me: Me; onClose: () => void; onPay: () => void }) {
  const { friends } = useCircle();
  return (
    <Sheet onClose={onClose} title={friends.title}>
      <div className={classes.parts}>
        <OwnCode me={me} onPay={onPay} />
        <Friends memberId={me.id} />
      </div>
    </Sheet>
  );
}
