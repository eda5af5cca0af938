import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { DeviceDrawing } from "../../../ui/device-drawing.tsx";
import { Steps } from "../../../ui/steps.tsx";
import classes from "./empty.module.css";

interface Props {
  /** null: a banner above says why. */
  onCreate: (() => void) | null;
  /** A second button, if every device after the first needs Telegram and it is not linked yet. */
  onBind: (() => void) | null;
}

/** The free seat with the first device drawn in it. */
export function Empty({ onCreate, onBind }: Props) {
  const { dashboard } = useMemberText();
  return (
    <div className={classes.empty}>
      <svg className={classes.seat} viewBox="0 0 280 280" aria-hidden="true">
        <defs>
          <radialGradient id="seat-pool" cx="0.5" cy="0.4" r="0.6">
            <stop offset="0" stopColor="var(--k-pool-centre)" />
            <stop offset="1" stopColor="var(--k-pool-edge)" />
          </radialGradient>
        </defs>
        <circle
          cx="140"
          cy="140"
          r="138"
          fill="url(#seat-pool)"
          stroke="var(--k-brass)"
          strokeWidth="2.4"
          strokeDasharray="11.5 10.18"
        />
        <g transform="translate(101 66)">
          <DeviceDrawing kind="phone" />
        </g>
      </svg>
      <div className={classes.words}>
        <h3 className={classes.title}>{dashboard.emptyTitle}</h3>
        <p className={classes.lead}>{onCreate ? dashboard.emptyLead : dashboard.emptyLater}</p>
        {onCreate && <Steps steps={dashboard.emptySteps} />}
        {onCreate && (
          <Button
            className={classes.button ?? ""}
            size="lg"
            leftSection={<IconPlus size={20} stroke={1.6} />}
            onClick={onCreate}
          >
            {dashboard.create}
          </Button>
        )}
        {onBind && (
          <div className={classes.bind}>
            <p>{dashboard.emptyBind}</p>
            <Button variant="outline" onClick={onBind}>
              {dashboard.bind}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
