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

// How many packets wait for one device's tunnel, and how many are handed over at once.
const waitingPerDevice, batch = 512, 128

// link joins the tunnel, which takes it for a TUN device, with the stack, which takes it for a network card. Towards the devices
// it gives each its turn, so one that is sent a flood delays only itself.
type link struct {
	events chan tun.Event
	name   string
	// Takes packets that came out of the tunnel; true if it did not leave them to the stack.
	intercept func(packet []byte) bool

	mutex      sync.Mutex
	dispatcher stack.NetworkDispatcher
	mtu        uint32
	isClosed   bool
	filled     *sync.Cond
	waiting    map[tcpip.Address][]*stack.PacketBuffer
	turns      []tcpip.Address
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

// Write takes what devices sent.
func (link *link) Write(packets [][]byte, offset int) (int, error) {
	link.mutex.Lock()
	dispatcher := link.dispatcher
	link.mutex.Unlock()
	if dispatcher == nil {
		return 0, os.ErrClosed
	}
	for _, each := range packets {
		packet := each[offset:]
		if len(packet) == 0 || link.intercept(packet) {
			continue
		}
		taken := stack.NewPacketBuffer(stack.PacketBufferOptions{Payload: buffer.MakeWithData(packet)})
		protocol := header.IPv4ProtocolNumber
		if packet[0]>>4 == 6 {
			protocol = header.IPv6ProtocolNumber
		}
		dispatcher.DeliverNetworkPacket(protocol, taken)
		taken.DecRef()
	}
	return len(packets), nil
}

// Read gives what is for devices, waiting for the first packet.
func (link *link) Read(into [][]byte, sizes []int, offset int) (int, error) {
	link.mutex.Lock()
	defer link.mutex.Unlock()
	for len(link.turns) == 0 && !link.isClosed {
		link.filled.Wait()
	}
	if link.isClosed {
		return 0, os.ErrClosed
	}
	count := 0
	for ; count < len(into) && len(link.turns) > 0; count++ {
		packet := link.next()
		size := offset
		for _, piece := range packet.AsSlices() {
			size += copy(into[count][size:], piece)
		}
		sizes[count] = size - offset
		packet.DecRef()
	}
	return count, nil
}

func (link *link) next() *stack.PacketBuffer {
	device := link.turns[0]
	link.turns = link.turns[1:]
	queue := link.waiting[device]
	packet := queue[0]
	if len(queue) == 1 {
		delete(link.waiting, device)
	} else {
		link.waiting[device] = queue[1:]
		link.turns = append(link.turns, device)
	}
	return packet
}

// WritePackets takes what the stack sends; what is too much for one device is lost, as on any way.
func (link *link) WritePackets(packets stack.PacketBufferList) (int, tcpip.Error) {
	link.mutex.Lock()
	defer link.mutex.Unlock()
	if link.isClosed {
		return 0, &tcpip.ErrClosedForSend{}
	}
	taken := 0
	for _, packet := range packets.AsSlice() {
		device := targetOf(packet)
		queue := link.waiting[device]
		if len(queue) >= waitingPerDevice {
			break
		}
		if len(queue) == 0 {
			link.turns = append(link.turns, device)
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
	link.waiting, link.turns = nil, nil
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
	default: // one is on its way and reads the new value
	}
}

// What else a TUN device has.

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

// What else a network card of the stack has.

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

// Checksums of what came out of the tunnel are not worked out again: its packets are authentic.
func (card) Capabilities() stack.LinkEndpointCapabilities {
	return stack.CapabilityRXChecksumOffload
}
