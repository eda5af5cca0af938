/** What `krug import` says. */
export const movingEn = {
  none: "No other VPN program was found on this machine.",
  how: "Nothing was changed. To take one over: krug import NAME, with --new-members YYYY-MM-DD or --to LOGIN for devices without a member. To go back afterwards: krug import --back.",
  noServer: "This machine is not a server of the club: start the panel first, and keep it running.",
  notFound: (name: string) => `There is no ${name} here: krug import lists what was found.`,
  removesItself: (name: string) =>
    `${name} was started with --rm: stopped, it is deleted and could not come back. Start it without --rm first.`,
  noMember: (login: string) => `There is no member ${login}.`,
  oneAtATime: "An import can still go back: krug import --back. If it is to stay: krug import --keep.",
  interrupted: (name: string) =>
    `The import of ${name} was interrupted. Go back to the old program: krug import --back.`,
  takeQuestion: (name: string, left: string) =>
    `Take over ${name}? Devices that stay behind and no longer connect: ${left}. The club's interface serves the others with their files as they are.`,
  backQuestion: (name: string) =>
    `Go back to ${name}? The club's interface and its configs are deleted, also those made since. Members stay.`,
  kept: (name: string) => `The import of ${name} stays. It cannot go back any more.`,
  nothing: "Nothing was changed.",
  silent: "The new interface did not answer.",
  wentBack: (why: string) => `${why} The old program serves its devices again.`,
  stayed: "The new members are in the club and stay. Their links are valid 14 days and shown only now:",
  stillHere: (name: string) => `The panel did not remove ${name}: is it running? Try again: krug import --back.`,
  nothingMoved: "Nothing was imported by this command that could go back.",
  back: (name: string) => `${name} serves its devices again, as before the import.`,
  done: (name: string, count: string) =>
    `${name} was taken over, with devices: ${count}. To go back: krug import --back.`,
  opened: "Another firewall of this machine stays open for the club's tunnels: the server's settings say so.",
  links: "New members set their password by these links, valid 14 days and shown only now:",
  owner: (login: string) => `-> ${login}`,
  off: "[off]",
  until: (day: string) => `[until ${day}]`,
  traffic: (down: string, up: string) => `[${down} down, ${up} up]`,
  noKey: "[key only on the device]",
  stays: "[cannot come along]",
  left: (names: string) => `  stays behind: ${names}`,
};

export type MovingWords = typeof movingEn;
