import { useDevices } from "../../../lib/i18n/devices.ts";
import classes from "./guide.module.css";

/** Beside the way by QR code, on the phone that would have to scan its own screen: the way by the file. */
export function SamePhone({ system }: { system: "ios" | "android" }) {
  const { samePhone } = useDevices();
  return <p className={classes.here}>{samePhone[system]}</p>;
}
