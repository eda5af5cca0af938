export const gate = {
  gate: {
    contact: "Contact the administrator:",
    mirror: "The panel has another address:",
  },
  connection: {
    checking: "Checking the connection to the panel...",
    connected: "The panel is connected",
    short: { checking: "Checking", connected: "Connected" },
    failed: (reason: string) => `Error connecting to API server: ${reason}`,
    offline: "no internet",
    timeout: "no answer in time",
    gateway: "the panel is not running",
    unreachable: "the panel does not answer",
    status: (status: number) => `the panel answered ${status}`,
    unknown: "unknown error",
  },
  maintenance: {
    title: "Maintenance",
    lead: "Your devices stay connected: the VPN works. This page opens by itself when the work is done.",
    check: "Check now",
  },
};
