/** An interface is named with its server: others have an 'Interface 1' too. */
export const placeName = ({ serverName, name }: { serverName: string; name: string }) => `${serverName}: ${name}`;
