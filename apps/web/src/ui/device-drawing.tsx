/** A device drawn with the pen of the empty places: large, thin, without detail. Units: 78 x 148 and 150 x 112. */
export function DeviceDrawing({ kind }: { kind: "phone" | "computer" }) {
  return (
    <g fill="none" stroke="var(--k-text-2)" strokeWidth="3.6" strokeLinecap="round" strokeLinejoin="round">
      {kind === "phone" ? (
        <>
          <rect x="2" y="2" width="74" height="144" rx="16" />
          <path d="M30 131h18" />
        </>
      ) : (
        <>
          <rect x="20" y="2" width="110" height="80" rx="10" />
          <path d="M2 104h146" />
        </>
      )}
    </g>
  );
}
