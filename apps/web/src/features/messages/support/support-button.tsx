import { IconMessageCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useSettled } from "../../../lib/use-settled.ts";
import { CountBadge } from "../../../ui/count-badge.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import type { Me } from "../../access/auth/index.ts";
import { closeSupport, openSupport, useAsked } from "./asked.ts";
import { unreadQuery } from "./queries.ts";
import classes from "./support-button.module.css";

const SupportWidget = lazyDialog(() => import("./support-widget.tsx").then(({ SupportWidget }) => SupportWidget));

/** The round button with the number of unseen answers. */
export function SupportButton() {
  const { dashboard } = useMemberText();
  const { open } = useAsked();
  const unread = useQuery({ ...unreadQuery, enabled: useSettled() }).data?.unread ?? 0;
  const name = unread > 0 ? dashboard.supportUnread(unread) : dashboard.support;
  return (
    <button
      type="button"
      className={`${classes.button} k-focus`}
      aria-label={name}
      aria-expanded={open}
      title={dashboard.support}
      onClick={open ? closeSupport : openSupport}
      onPointerEnter={SupportWidget.load}
    >
      <IconMessageCircle size={22} stroke={1.6} aria-hidden="true" />
      <CountBadge corner count={unread} />
      <span role="status" className="k-spoken">
        {unread > 0 && !open ? name : ""}
      </span>
    </button>
  );
}

/** The widget's place while it is open. */
export function SupportPlace({ me }: { me: Me }) {
  const { open } = useAsked();
  return <>{open && <SupportWidget me={me} onClose={closeSupport} />}</>;
}
