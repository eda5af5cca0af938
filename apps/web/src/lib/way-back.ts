/** Where a person was going before the door stopped him: a path of this application, otherwise the dashboard. */
export function wayBack(to: string | undefined): "/dashboard" {
  const own = to?.startsWith("/") && !to.startsWith("//") && !to.includes("\\") && to.startsWith("/dashboard");
  // The router's types know paths, not strings that were kept in an address.
  return (own ? to : "/dashboard") as "/dashboard";
}
