import { Notifications } from "@mantine/notifications";
import "@mantine/core/styles/Notification.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./toasts.css";

/** Where toasts appear: below, away from a screen's actions, above the dock on a phone. Loaded after the page it belongs to. */
export function ToastHost() {
  return <Notifications position="bottom-center" containerWidth={400} />;
}
