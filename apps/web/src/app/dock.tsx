import { IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Me } from "../features/access/auth/queries.ts";
import { friendsQuery } from "../features/access/invites/queries.ts";
import { SupportButton } from "../features/messages/support/index.ts";
import { useMemberText } from "../lib/i18n/member.ts";
import { useSettled } from "../lib/use-settled.ts";
import { Arcs } from "../ui/arcs.tsx";
import { CreateButton } from "./create-button.tsx";
import classes from "./dock.module.css";

interface Props {
  me: Me;
  onInvite: () => void;
  onInviteAhead: () => void;
  /** null if no config can be created now. */
  onCreate: (() => void) | null;
  onCreateAhead: () => void;
}

/** What floats over the page: on a phone all buttons within the thumb's reach, on a desktop the invitation and support in their corners. */
export function Dock({ me, onInvite, onInviteAhead, onCreate, onCreateAhead }: Props) {
  const { dashboard } = useMemberText();
  const { data: friends } = useQuery({ ...friendsQuery(me.id, false), enabled: useSettled() });
  const counting = friends?.filter(({ counts }) => counts).length ?? 0;
  return (
    <div className={classes.dock}>
      <button
        type="button"
        className={`${classes.invite} k-focus`}
        data-alone={onCreate === null || undefined}
        aria-label={dashboard.invite}
        title={dashboard.invite}
        onClick={onInvite}
        onPointerEnter={onInviteAhead}
      >
        <span className={classes.ring}>
          <Arcs count={counting} size={52} thickness={2.5} />
        </span>
        <span className={classes.pillRing}>
          <Arcs count={counting} size={26} thickness={3} />
        </span>
        <IconUserPlus className={classes.person} size={22} stroke={1.6} aria-hidden="true" />
        <span className={classes.label}>{dashboard.invite}</span>
      </button>
      {onCreate && (
        <span className={classes.create}>
          <CreateButton size="lg" fullWidth onClick={onCreate} onPointerEnter={onCreateAhead}>
            {dashboard.create}
          </CreateButton>
        </span>
      )}
      <SupportButton />
    </div>
  );
}
