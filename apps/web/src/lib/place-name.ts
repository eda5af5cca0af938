/** An interface is named with its server, since several servers have an 'Interface 1'. */
export const placeName = ({ serverName, name }: { serverName: string; name: string }) => `${serverName}: ${name}`;
