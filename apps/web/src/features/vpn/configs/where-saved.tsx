import { useDevices } from "../../../lib/i18n/devices.ts";
import { withApp } from "../../../lib/i18n/typography.ts";
import type { Given } from "../../../lib/save-file.ts";
import { Steps } from "../../../ui/steps.tsx";
import { thisSystem } from "./clients.ts";
import classes from "./created.module.css";
import type { Config } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";

interface Props {
  config: Pick<Config, "name" | "tunnel">;
  /** What happened to the file on this phone; null before. */
  given: Given | null | undefined;
}

/** The second step for a file that this phone's app did not import by itself: where the file is, and how the app imports it from there. */
export function WhereSaved({ config: { name, tunnel }, given }: Props) {
  const { saved } = withApp(useDevices(), appFor(tunnel));
  const system = thisSystem() === "ios" ? "ios" : "android";
  return (
    <div role="status">
      {given === "saved" && (
        <div className={classes.second}>
          <FileIntoApp />
          <p>{saved.where[system](`${name}.conf`)}</p>
          <Steps steps={saved.steps[system]} />
        </div>
      )}
    </div>
  );
}

/** A file imported with the app's plus button. */
function FileIntoApp() {
  return (
    <svg width="168" height="96" viewBox="0 0 168 96" aria-hidden="true">
      <g fill="none" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round">
        <g stroke="var(--k-text-2)">
          <path d="M8 22h24l12 12v40H8z" />
          <path d="M32 22v12h12M16 48h20M16 58h20" />
          <rect x="108" y="4" width="50" height="88" rx="10" />
          <path d="M124 84h18" />
        </g>
        <g stroke="var(--k-brass)">
          <path d="M56 48h34M80 38l10 10-10 10" />
          <circle cx="133" cy="48" r="13" />
          <path d="M133 42v12M127 48h12" />
        </g>
      </g>
    </svg>
  );
}
