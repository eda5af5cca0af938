import { eventType } from "../../platform/events.ts";

/** Something changed in what a member has paid, claimed or been told about it. */
export const paymentChanged = eventType<{ memberId: string }>("payment.changed");
