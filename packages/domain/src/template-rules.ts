import type { DeviceType } from "./config-rules.ts";
import { fitsPhone, type RoutedService, servicesFor } from "./phone-limit.ts";

/** Templates for new members a club may have. */
export const MOST_TEMPLATES = 50;
export const MOST_TEMPLATE_NAME_LETTERS = 40;

/**
 * The template's services a new config of this kind starts with: those meant for such a device. None if a phone cannot take all
 * of them; then the form makes its usual choice.
 */
export function servicesToBeginWith<Service extends RoutedService>(
  deviceType: DeviceType,
  named: readonly Service[],
): Service[] {
  const suitable = servicesFor(deviceType, named);
  return deviceType === "phone" && !fitsPhone(suitable) ? [] : suitable;
}
