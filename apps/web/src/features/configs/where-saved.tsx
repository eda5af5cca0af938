import { useDevices } from "../../lib/i18n/devices.ts";
import { withApp } from "../../lib/i18n/tie.ts";
import type { Given } from "../../lib/save-file.ts";
import { thisSystem } from "./clients.ts";
import classes from "./created.module.css";
import type { Config } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";

interface Props {
  config: Pick<Config, "name" | "tunnel">;
  /** What became of the file on this phone; null before. */
  given: Given | null | undefined;
}

/** A file that this phone's app did not take over by itself: where it lies, and how the app gets it from there. */
export function WhereSaved({ config: { name, tunnel }, given }: Props) {
  const { saved } = withApp(useDevices(), appFor(tunnel));
  const words = thisSystem() === "ios" ? saved.ios : saved.android;
  return <div role="status">{given === "saved" && <p className={classes.same}>{words(`${name}.conf`)}</p>}</div>;
}
