import { useDevices } from "../../../lib/i18n/devices.ts";
import classes from "./guide.module.css";

/** Shown next to the QR code on the phone that would have to scan its own screen: use the file instead. */
export function SamePhone({ system }: { system: "ios" | "android" }) {
  const { samePhone } = useDevices();
  return <p className={classes.here}>{samePhone[system]}</p>;
}
