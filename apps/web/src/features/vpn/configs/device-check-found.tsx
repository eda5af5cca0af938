import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { explain } from "../../../lib/api.ts";
import { secondsClock } from "../../../lib/format.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { withApp } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { Steps } from "../../../ui/steps.tsx";
import { useViewed } from "../../club/staff/index.ts";
import classes from "./device-check.module.css";
import { useDeviceCheckWords } from "./device-check-words.ts";
import { CAUSE_RING, factsOf, stepsOf } from "./diagnosis-words.ts";
import { isGone } from "./queries.ts";
import { type CheckedDevice, staffDiagnosisQuery } from "./staff-diagnosis-query.ts";
import { appFor } from "./tunnel-app.ts";

/** The likely cause, when it was found, and on demand everything that the member would see. */
export function DeviceCheckFound({ device }: { device: CheckedDevice }) {
  const words = useDeviceCheckWords();
  const { diagnosis } = withApp(useDevices(), appFor(device.tunnel));
  const { text, language } = useSpeech();
  const { viewedRole } = useViewed();
  const check = useQuery(staffDiagnosisQuery(device.id, viewedRole));
  const seen = check.isError ? undefined : check.data;
  const again = (
    <Button
      variant="subtle"
      size="compact-sm"
      data-flush="always"
      aria-label={words.againOf(device.name)}
      onClick={() => check.isFetching || void check.refetch()}
    >
      {check.isFetching ? words.checking : words.again}
    </Button>
  );
  if (check.isError)
    return (
      <div className={classes.check}>
        <p role="alert">{isGone(check.error) ? words.gone : explain(check.error, words.failed, text.failure.silent)}</p>
        {!isGone(check.error) && again}
      </div>
    );
  if (!seen)
    return (
      <p className={classes.cause} role="status">
        <Ring state="wait" size={18} />
        {words.checking}
      </p>
    );
  const cause = diagnosis.causes[seen.cause];
  return (
    <div className={classes.check}>
      <p className={classes.cause} role="status">
        <Ring state={CAUSE_RING[seen.cause]} size={18} />
        {cause.title}
      </p>
      <p className={classes.age}>{words.at(secondsClock(Date.parse(seen.checkedAt)))}</p>
      {again}
      <details className={classes.more}>
        <summary className="k-focus">{words.more}</summary>
        <p>{cause.why}</p>
        <Steps steps={stepsOf(seen.cause, device, diagnosis)} />
        <dl>
          {factsOf(seen, { words: diagnosis, text, language }, true).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

/** Nothing if the check failed: the full check is linked elsewhere too. */
export function DeviceCheckLine({ device, onMore }: { device: CheckedDevice; onMore: () => void }) {
  const words = useDeviceCheckWords();
  const { diagnosis } = useDevices();
  const { viewedRole } = useViewed();
  const { data: seen, isError } = useQuery(staffDiagnosisQuery(device.id, viewedRole));
  if (isError) return null;
  return (
    <div className={classes.line} role="status">
      <Ring state={seen ? CAUSE_RING[seen.cause] : "wait"} size={18} />
      <span>
        <b>{device.name}</b> {seen ? diagnosis.causes[seen.cause].title : words.checking}
      </span>
      <Button variant="subtle" size="compact-sm" aria-label={words.detailsOf(device.name)} onClick={onMore}>
        {words.details}
      </Button>
    </div>
  );
}
