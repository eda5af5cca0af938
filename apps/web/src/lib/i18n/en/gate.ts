export const gate = {
  gate: {
    title: "Security check",
    lead: "A few seconds, once a session.",
    askingPlace: "Checking geolocation...",
    place: "Geolocation confirmed",
    askingAddress: "Checking the IP address...",
    address: "IP checked",
    askingVpn: "Checking for VPN/Proxy...",
    vpn: "VPN/Proxy not detected",
    region: "Access denied: service unavailable in your region",
    vpnDenied: "Access denied: VPN/Proxy usage detected",
    unmet: "Your connection does not meet security requirements",
    regionDoor:
      "If you are a member and are here by mistake, write to the club's administrator or to the friend who invited you: your address can be let in.",
    vpnDoor:
      "Switch the VPN or proxy off and check again. If they are off, write to the club's administrator or to the friend who invited you.",
    contact: "Contact the administrator:",
    again: "Check again",
    failed: "Error during security check",
    failedLead: "The panel answered but could not check the connection. Try again a little later.",
  },
  connection: {
    checking: "Checking the connection to the panel...",
    connected: "The panel is connected",
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
