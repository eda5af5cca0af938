import { useMediaQuery } from "@mantine/hooks";
import { Notifications } from "@mantine/notifications";
import "@mantine/core/styles/Notification.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./toasts.css";

/**
 * Where toasts appear: top right, below a frame's header and its actions; on a phone at the bottom, above the dock. Loaded after
 * its page.
 */
export function ToastHost() {
  const isPhone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  return <Notifications position={isPhone ? "bottom-center" : "top-right"} containerWidth={400} />;
}
