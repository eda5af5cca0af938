/** Where a person was going before they had to sign in: an address of this application, otherwise the dashboard. */
export function wayBack(to: string | undefined): string {
  return to !== undefined && /^\/(dashboard|admin)([/?#]|$)/.test(to) && !to.includes("\\") ? to : "/dashboard";
}
