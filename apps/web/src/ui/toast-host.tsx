import { useMediaQuery } from "@mantine/hooks";
import { Notifications } from "@mantine/notifications";
import "@mantine/core/styles/Notification.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./toasts.css";

/** Where toasts appear: top right on a desktop, above the dock on a phone. Loaded after the page it belongs to. */
export function ToastHost() {
  const wide = useMediaQuery("(min-width: 48em)") ?? true;
  return <Notifications position={wide ? "top-right" : "bottom-center"} containerWidth={400} />;
}
