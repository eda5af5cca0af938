/**
 * What stands below a part whose height is not known yet. It loads meanwhile and appears once that part has: otherwise it would
 * slide away under a finger, and the press would meet what came instead.
 */
export const Following = ({ waits, children }: { waits: boolean; children: React.ReactNode }) => (
  <div style={{ display: waits ? "none" : "contents" }}>{children}</div>
);
