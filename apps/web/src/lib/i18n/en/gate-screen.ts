export const gateScreen = {
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
    "If you are a member and this is a mistake, write to the club's administrator or to the friend who invited you: your address can be allowed.",
  vpnDoor:
    "Switch the VPN or proxy off and check again. If they are off, write to the club's administrator or to the friend who invited you.",
  again: "Check again",
  failed: "Error during security check",
  failedLead: "The panel answered but could not check the connection. Try again a little later.",
};
