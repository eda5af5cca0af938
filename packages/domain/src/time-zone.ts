/** Where the club is until somebody says otherwise (decisions, section 5). */
export const DEFAULT_TIME_ZONE = "Europe/Moscow";

/** Whether it is the name of a zone of the tz database. */
export function isTimeZone(name: string): boolean {
  // Asking loads the tables of all zones, 40 ms that a start without a zone of its own need not pay.
  if (name === DEFAULT_TIME_ZONE) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
