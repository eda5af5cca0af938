package network

import (
	"os"
	"sync"

	"golang.zx2c4.com/wireguard/tun"
	"gvisor.dev/gvisor/pkg/buffer"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// The most packets queued for one device, and the most handed over at once.
const waitingPerDevice, batch = 512, 128

// link connects the tunnel, to which it is a TUN device, with the stack, to which it is a network card. Towards devices
// it takes turns, so a flood to one device delays only that one.
type link struct {
	events chan tun.Event
	name   string
	// Handles packets from the tunnel; returns true if the stack must not see the packet.
	intercept func(packet []byte) bool

	mutex      sync.Mutex
	dispatcher stack.NetworkDispatcher
	mtu        uint32
	isClosed   bool
	filled     *sync.Cond
	waiting    map[tcpip.Address][]*stack.PacketBuffer
	turns      []turn
	limits     limits
}

// turn is an address's, or a limited member's.
type turn struct {
	device tcpip.Address
	lane   *downLane
}

func newLink(name string, mtu int) *link {
	made := &link{
		events:  make(chan tun.Event, 4),
		name:    name,
		mtu:     uint32(mtu),
		waiting: map[tcpip.Address][]*stack.PacketBuffer{},
	}
	made.filled = sync.NewCond(&made.mutex)
	made.events <- tun.EventUp
	return made
}

// Write takes packets from devices.
func (link *link) Write(packets [][]byte, offset int) (int, error) {
	link.mutex.Lock()
	dispatcher := link.dispatcher
	link.mutex.Unlock()
	if dispatcher == nil {
		return 0, os.ErrClosed
	}
	for _, each := range packets {
		packet := each[offset:]
		if len(packet) > 0 && !link.mustWait(packet) {
			link.deliverTo(dispatcher, packet)
		}
	}
	return len(packets), nil
}

func (link *link) deliver(packet []byte) {
	link.mutex.Lock()
	dispatcher := link.dispatcher
	link.mutex.Unlock()
	if dispatcher != nil {
		link.deliverTo(dispatcher, packet)
	}
}

func (link *link) deliverTo(dispatcher stack.NetworkDispatcher, packet []byte) {
	if link.intercept(packet) {
		return
	}
	taken := stack.NewPacketBuffer(stack.PacketBufferOptions{Payload: buffer.MakeWithData(packet)})
	defer taken.DecRef()
	protocol := header.IPv4ProtocolNumber
	if packet[0]>>4 == 6 {
		protocol = header.IPv6ProtocolNumber
	}
	dispatcher.DeliverNetworkPacket(protocol, taken)
}

// Read returns packets for devices, and waits for the first one.
func (link *link) Read(into [][]byte, sizes []int, offset int) (int, error) {
	link.mutex.Lock()
	defer link.mutex.Unlock()
	for {
		count := 0
		for count < len(into) && len(link.turns) > 0 {
			packet := link.next()
			if packet == nil {
				continue
			}
			size := offset
			for _, piece := range packet.AsSlices() {
				size += copy(into[count][size:], piece)
			}
			sizes[count] = size - offset
			packet.DecRef()
			count++
		}
		switch {
		case link.isClosed:
			return 0, os.ErrClosed
		case count > 0:
			return count, nil
		}
		link.filled.Wait()
	}
}

// next returns nil if it is the turn of a member whose limit is reached.
func (link *link) next() *stack.PacketBuffer {
	first := link.turns[0]
	link.turns = link.turns[1:]
	if lane := first.lane; lane != nil {
		packet, wait := lane.lane.next()
		switch {
		case wait > 0:
			lane.timer.Reset(wait)
		case lane.lane.isEmpty():
			lane.isInTurn = false
		default:
			link.turns = append(link.turns, first)
		}
		return packet
	}
	queue := link.waiting[first.device]
	packet := queue[0]
	if len(queue) == 1 {
		delete(link.waiting, first.device)
	} else {
		link.waiting[first.device] = queue[1:]
		link.turns = append(link.turns, first)
	}
	return packet
}

// WritePackets takes packets from the stack. If a device's queue is full, packets are dropped, as on any link.
func (link *link) WritePackets(packets stack.PacketBufferList) (int, tcpip.Error) {
	link.mutex.Lock()
	defer link.mutex.Unlock()
	if link.isClosed {
		return 0, &tcpip.ErrClosedForSend{}
	}
	taken := 0
	for _, packet := range packets.AsSlice() {
		device := targetOf(packet)
		if lane := link.limits.down[device]; lane != nil {
			clone := packet.Clone()
			if !lane.lane.put(device, clone, (*stack.PacketBuffer).DecRef) {
				clone.DecRef()
				break
			}
			if !lane.isInTurn {
				lane.isInTurn = true
				link.turns = append(link.turns, turn{lane: lane})
			}
			taken++
			continue
		}
		queue := link.waiting[device]
		if len(queue) >= waitingPerDevice {
			break
		}
		if len(queue) == 0 {
			link.turns = append(link.turns, turn{device: device})
		}
		link.waiting[device] = append(queue, packet.Clone())
		taken++
	}
	if taken == 0 {
		return 0, &tcpip.ErrNoBufferSpace{}
	}
	link.filled.Signal()
	return taken, nil
}

func targetOf(packet *stack.PacketBuffer) tcpip.Address {
	if packet.NetworkProtocolNumber == header.IPv4ProtocolNumber {
		return header.IPv4(packet.NetworkHeader().Slice()).DestinationAddress()
	}
	return header.IPv6(packet.NetworkHeader().Slice()).DestinationAddress()
}

func (link *link) Close() error {
	link.mutex.Lock()
	defer link.mutex.Unlock()
	if link.isClosed {
		return nil
	}
	link.isClosed = true
	for _, queue := range link.waiting {
		for _, packet := range queue {
			packet.DecRef()
		}
	}
	for _, lane := range link.limits.downs {
		lane.timer.Stop()
		for _, queue := range lane.lane.waiting {
			for _, packet := range queue {
				packet.DecRef()
			}
		}
	}
	link.waiting, link.turns, link.limits.down, link.limits.downs = nil, nil, nil, nil
	link.filled.Broadcast()
	close(link.events)
	return nil
}

func (link *link) setMTU(mtu int) {
	link.mutex.Lock()
	defer link.mutex.Unlock()
	if link.isClosed || link.mtu == uint32(mtu) {
		return
	}
	link.mtu = uint32(mtu)
	select {
	case link.events <- tun.EventMTUUpdate:
	default: // an event is already queued, and its reader sees the new value
	}
}

// The rest of a TUN device's methods.

func (link *link) File() *os.File           { return nil }
func (link *link) MTU() (int, error)        { return int(link.currentMTU()), nil }
func (link *link) Name() (string, error)    { return link.name, nil }
func (link *link) Events() <-chan tun.Event { return link.events }
func (link *link) BatchSize() int           { return batch }

func (link *link) currentMTU() uint32 {
	link.mutex.Lock()
	defer link.mutex.Unlock()
	return link.mtu
}

// The rest of the methods of a network card.

type card struct{ *link }

func (card card) MTU() uint32       { return card.currentMTU() }
func (card card) SetMTU(mtu uint32) { card.setMTU(int(mtu)) }
func (card card) Attach(dispatcher stack.NetworkDispatcher) {
	card.mutex.Lock()
	defer card.mutex.Unlock()
	card.dispatcher = dispatcher
}
func (card card) IsAttached() bool {
	card.mutex.Lock()
	defer card.mutex.Unlock()
	return card.dispatcher != nil
}
func (card) MaxHeaderLength() uint16                 { return 0 }
func (card) LinkAddress() tcpip.LinkAddress          { return "" }
func (card) SetLinkAddress(tcpip.LinkAddress)        {}
func (card) Wait()                                   {}
func (card) ARPHardwareType() header.ARPHardwareType { return header.ARPHardwareNone }
func (card) AddHeader(*stack.PacketBuffer)           {}
func (card) ParseHeader(*stack.PacketBuffer) bool    { return true }
func (card) SetOnCloseAction(func())                 {}
func (card card) Close()                             { _ = card.link.Close() }

// Checksums of packets from the tunnel are not verified again: the tunnel authenticates them.
func (card) Capabilities() stack.LinkEndpointCapabilities {
	return stack.CapabilityRXChecksumOffload
}
