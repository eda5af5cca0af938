import { NO_LIMIT } from "@krug/domain/config-rules";
import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { Me } from "../features/access/auth/queries.ts";
import { ageText } from "../lib/format.ts";
import { useMemberText } from "../lib/i18n/member.ts";
import { Ring } from "../ui/ring.tsx";
import { CreateButton } from "./create-button.tsx";
import classes from "./dashboard.module.css";

interface Props {
  me: Me;
  /** null while unknown. */
  count: number | null;
  nowMs: number;
  updatedAtMs: number | null;
  refreshing: boolean;
  onRefresh: () => void;
  /** null if the page offers it elsewhere or not at all. */
  onCreate: (() => void) | null;
  onCreateAhead: () => void;
}

export function DevicesHead(props: Props) {
  const { me, count, nowMs, updatedAtMs, refreshing, onRefresh, onCreate, onCreateAhead } = props;
  const { dashboard, age } = useMemberText();
  const old = updatedAtMs === null ? null : ageText(updatedAtMs, nowMs, age);
  return (
    <div className={classes.head}>
      <h2 id="devices" className={classes.headTitle}>
        {dashboard.devices}
      </h2>
      {count !== null && (
        <span className={classes.count}>
          {me.vpnConfigLimit === NO_LIMIT ? count : dashboard.count(count, me.vpnConfigLimit)}
        </span>
      )}
      <span className={classes.headRight}>
        {old !== null && (count ?? 0) > 0 && (
          <Button
            variant="subtle"
            className={classes.age ?? ""}
            aria-label={dashboard.refresh(old)}
            leftSection={refreshing ? <Ring state="wait" size={18} /> : <IconRefresh size={18} stroke={1.6} />}
            onClick={onRefresh}
          >
            {old}
          </Button>
        )}
        {onCreate && (
          <span className={classes.wideOnly}>
            <CreateButton onClick={onCreate} onPointerEnter={onCreateAhead}>
              {dashboard.create}
            </CreateButton>
          </span>
        )}
      </span>
    </div>
  );
}
