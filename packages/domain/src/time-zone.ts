/** The club's zone until staff set another (decisions, section 5). */
export const DEFAULT_TIME_ZONE = "Europe/Moscow";

/** Whether this is a zone name of the tz database. */
export function isTimeZone(name: string): boolean {
  // The check loads the tables of all zones: 40 ms that a start without its own zone need not spend.
  if (name === DEFAULT_TIME_ZONE) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
