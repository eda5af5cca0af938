package network

import (
	"encoding/binary"
	"net/netip"

	"gvisor.dev/gvisor/pkg/buffer"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/checksum"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

const hops = 64

// send sends a device one message of a protocol above IP; the stack fragments it if it is too long for the tunnel.
func (network *Network) send(from, to netip.Addr, protocol tcpip.TransportProtocolNumber, message []byte) {
	route, err := network.stack.FindRoute(onlyCard, stackAddress(from), stackAddress(to), protocolOf(to), false)
	if err != nil {
		return
	}
	defer route.Release()
	packet := stack.NewPacketBuffer(stack.PacketBufferOptions{
		ReserveHeaderBytes: int(route.MaxHeaderLength()),
		Payload:            buffer.MakeWithData(message),
	})
	defer packet.DecRef()
	packet.TransportProtocolNumber = protocol
	_ = route.WritePacket(stack.NetworkHeaderParams{Protocol: protocol, TTL: hops}, packet)
}

func (network *Network) sendUDP(from, to netip.AddrPort, payload []byte) {
	message := make([]byte, header.UDPMinimumSize+len(payload))
	copy(message[header.UDPMinimumSize:], payload)
	datagram := header.UDP(message)
	datagram.Encode(&header.UDPFields{SrcPort: from.Port(), DstPort: to.Port(), Length: uint16(len(message))})
	sum := header.PseudoHeaderChecksum(header.UDPProtocolNumber, stackAddress(from.Addr()), stackAddress(to.Addr()), uint16(len(message)))
	sum = ^checksum.Checksum(message, sum)
	if sum == 0 {
		sum = 0xffff // 0 means no checksum
	}
	datagram.SetChecksum(sum)
	network.send(from.Addr(), to.Addr(), header.UDPProtocolNumber, message)
}

func (network *Network) sendICMP(from, to netip.Addr, message []byte) {
	binary.BigEndian.PutUint16(message[2:], 0)
	protocol, sum := header.ICMPv4ProtocolNumber, uint16(0)
	if to.Is6() {
		protocol = header.ICMPv6ProtocolNumber
		sum = header.PseudoHeaderChecksum(protocol, stackAddress(from), stackAddress(to), uint16(len(message)))
	}
	binary.BigEndian.PutUint16(message[2:], ^checksum.Checksum(message, sum))
	network.send(from, to, protocol, message)
}

type unreachable struct{ code4, code6 byte }

var (
	unreachableHost = unreachable{1, 3}
	unreachablePort = unreachable{3, 4}
	prohibited      = unreachable{13, 1}
)

// tellUnreachable answers a packet with the given first eight bytes above IP. The source is the target or, if there is no route,
// the gateway.
func (network *Network) tellUnreachable(why unreachable, protocol tcpip.TransportProtocolNumber, from, to netip.Addr, first [8]byte) {
	teller := to
	if gateway := network.rules.Load().gatewayOf(to); why != unreachablePort && gateway.IsValid() {
		teller = gateway
	}
	message := make([]byte, 8, 8+header.IPv6MinimumSize+len(first))
	if to.Is4() {
		message[0], message[1] = byte(header.ICMPv4DstUnreachable), why.code4
		head := header.IPv4(make([]byte, header.IPv4MinimumSize))
		head.Encode(&header.IPv4Fields{
			TotalLength: uint16(header.IPv4MinimumSize + len(first)), TTL: hops, Protocol: uint8(protocol),
			SrcAddr: stackAddress(from), DstAddr: stackAddress(to),
		})
		head.SetChecksum(^head.CalculateChecksum())
		message = append(message, head...)
	} else {
		message[0], message[1] = byte(header.ICMPv6DstUnreachable), why.code6
		head := header.IPv6(make([]byte, header.IPv6MinimumSize))
		head.Encode(&header.IPv6Fields{
			PayloadLength: uint16(len(first)), TransportProtocol: protocol, HopLimit: hops,
			SrcAddr: stackAddress(from), DstAddr: stackAddress(to),
		})
		message = append(message, head...)
	}
	network.sendICMP(teller, from, append(message, first[:]...))
}

func portsFirst(from, to uint16, rest uint32) (first [8]byte) {
	binary.BigEndian.PutUint16(first[0:], from)
	binary.BigEndian.PutUint16(first[2:], to)
	binary.BigEndian.PutUint32(first[4:], rest)
	return first
}
