export const push = {
  title: "Notifications",
  lead: "The dashboard has all of them, behind the bell. Choose below which to send to Telegram or a browser as well.",
  leadOff: "The dashboard has all of them, behind the bell. A browser can show them too.",
  here: "Notifications in this browser",
  hereHint: "They arrive even while the dashboard is closed. They never show the text of messages or tickets.",
  asking: "The browser asks for permission...",
  unsupported: "This browser cannot show notifications from websites, or not in a private window.",
  homeScreen:
    "On iPhone and iPad add the dashboard to the Home Screen first: Share, then Add to Home Screen. Open it from there and turn notifications on here.",
  denied:
    "You have blocked this site's notifications. Allow them in the browser's settings: the icon to the left of the address, then Notifications. Then come back here.",
  notGiven: "Without your permission the browser shows no notifications. Turn them on again once you have decided.",
  noService: "The browser could not reach its notification service. Check the connection and try again.",
  failed: "Could not save",
  loadFailed: "Could not find out where notifications are on",
  others: "On in other browsers too",
  unknown: "Unknown browser",
  since: (day: string) => `Since ${day}`,
  remove: "Remove",
  removeOf: (device: string, since: string) => `Remove: ${device}, ${since}`,
};
