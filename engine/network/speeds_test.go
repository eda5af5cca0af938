package network

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gvisor.dev/gvisor/pkg/buffer"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

const packetBytes = 1_250 // 1 ms at 10 Mbit/s

func limit(bucket int, mbit float64, sources ...string) SpeedLimit {
	made := SpeedLimit{Bucket: bucket, Mbit: mbit}
	for _, each := range sources {
		made.Sources = append(made.Sources, netip.MustParseAddr(each))
	}
	return made
}

// packetBetween makes a packet with the given addresses of one family.
func packetBetween(from, to string, size int) []byte {
	source, target := netip.MustParseAddr(from), netip.MustParseAddr(to)
	packet := make([]byte, size)
	if source.Is4() {
		header.IPv4(packet).Encode(&header.IPv4Fields{TotalLength: uint16(size), TTL: 64, Protocol: 17, SrcAddr: stackAddress(source), DstAddr: stackAddress(target)})
	} else {
		header.IPv6(packet).Encode(&header.IPv6Fields{PayloadLength: uint16(size - header.IPv6MinimumSize), TransportProtocol: 17, HopLimit: 64, SrcAddr: stackAddress(source), DstAddr: stackAddress(target)})
	}
	return packet
}

func (link *link) putTo(address string, size int) bool {
	to := netip.MustParseAddr(address)
	from := map[bool]string{true: "203.0.113.1", false: "2001:db8::1"}[to.Is4()]
	packet := stack.NewPacketBuffer(stack.PacketBufferOptions{Payload: buffer.MakeWithData(packetBetween(from, address, size))})
	defer packet.DecRef()
	packet.NetworkProtocolNumber = protocolOf(to)
	packet.NetworkHeader().Consume(map[bool]int{true: header.IPv4MinimumSize, false: header.IPv6MinimumSize}[to.Is4()])
	var packets stack.PacketBufferList
	packets.PushBack(packet)
	_, err := link.WritePackets(packets)
	return err == nil
}

// count reads the link until it is closed, and counts bytes by target.
func (link *link) count() func(address string) int {
	var counts [256]atomic.Int64
	go func() {
		packets, sizes := make([][]byte, batch), make([]int, batch)
		for place := range packets {
			packets[place] = make([]byte, 2_000)
		}
		for {
			count, err := link.Read(packets, sizes, 0)
			if err != nil {
				return
			}
			for place := range count {
				last := 19
				if packets[place][0]>>4 == 6 {
					last = 39
				}
				counts[packets[place][last]].Add(int64(sizes[place]))
			}
		}
	}()
	return func(address string) int {
		return int(counts[netip.MustParseAddr(address).AsSlice()[len(netip.MustParseAddr(address).AsSlice())-1]].Load())
	}
}

func fileIn(t *testing.T) string { return filepath.Join(t.TempDir(), "speeds") }

func open(t *testing.T, path string) buckets {
	opened, err := openBuckets(path)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// flood keeps queues full for a while.
func flood(act func()) float64 {
	begun := time.Now()
	for time.Since(begun) < 500*time.Millisecond {
		for range 20 {
			act()
		}
		time.Sleep(time.Millisecond)
	}
	return time.Since(begun).Seconds()
}

// isNear measures again if a busy machine was too slow; no measurement may be faster.
func isNear(t *testing.T, mbit float64, act func(), count func() int) {
	t.Helper()
	measured := 0.0
	for range 10 {
		before := count()
		seconds := flood(act)
		measured = float64(count()-before) * 8 / 1e6 / seconds
		// The credit of an unused limit adds 4 % to so short a time.
		if measured > 1.1*mbit {
			break
		}
		if measured > 0.9*mbit {
			return
		}
	}
	t.Errorf("%.2f Mbit/s instead of %.0f", measured, mbit)
}

func TestAMembersAddressesShareTheLimitToThemAndOthersHaveNone(t *testing.T) {
	link := newLink("wg0", 1420)
	defer link.Close()
	link.limitSpeeds([]SpeedLimit{limit(2, 10, "10.8.0.2", "fd00::3")}, open(t, fileIn(t)))
	bytesTo := link.count()
	sent := 0
	toBoth := func() {
		link.putTo("10.8.0.2", packetBytes)
		link.putTo("fd00::3", packetBytes)
		if link.putTo("10.8.0.4", packetBytes) {
			sent += packetBytes
		}
	}
	isNear(t, 10, toBoth, func() int { return bytesTo("10.8.0.2") + bytesTo("fd00::3") })
	isNear(t, 5, toBoth, func() int { return bytesTo("fd00::3") })
	time.Sleep(50 * time.Millisecond)
	if bytesTo("10.8.0.4") != sent || sent < 4*bytesTo("10.8.0.2") {
		t.Errorf("another one got %d of %d bytes", bytesTo("10.8.0.4"), sent)
	}
}

func TestWhatAMemberSendsIsLimitedByItself(t *testing.T) {
	link := newLink("wg0", 1420)
	defer link.Close()
	var came, others atomic.Int64
	link.intercept = func(packet []byte) bool {
		if source, _ := sourceOf(packet); source == stackAddress(netip.MustParseAddr("10.8.0.4")) {
			others.Add(int64(len(packet)))
		} else {
			came.Add(int64(len(packet)))
		}
		return true
	}
	card{link}.Attach(nothing{})
	link.limitSpeeds([]SpeedLimit{limit(2, 10, "10.8.0.2", "fd00::3")}, open(t, fileIn(t)))
	packets := [][]byte{
		packetBetween("10.8.0.2", "203.0.113.1", packetBytes),
		packetBetween("fd00::3", "2001:db8::1", packetBytes),
		packetBetween("10.8.0.4", "203.0.113.1", packetBytes),
	}
	written := 0
	bytesTo := link.count()
	bothWays := func() {
		_, _ = link.Write(packets, 0)
		written += packetBytes
		link.putTo("10.8.0.2", packetBytes)
	}
	isNear(t, 10, bothWays, func() int { return int(came.Load()) })
	isNear(t, 10, bothWays, func() int { return bytesTo("10.8.0.2") })
	if int(others.Load()) != written {
		t.Errorf("another one's %d of %d bytes came", others.Load(), written)
	}
}

type nothing struct{ stack.NetworkDispatcher }

func TestTwoEnginesCountTogether(t *testing.T) {
	path := fileIn(t)
	one, other := newLink("wg0", 1420), newLink("wg1", 1420)
	defer one.Close()
	defer other.Close()
	for _, each := range []*link{one, other} {
		each.limitSpeeds([]SpeedLimit{limit(8, 10, "10.8.0.2", "10.9.0.2")}, open(t, path))
	}
	bytesToOne, bytesToOther := one.count(), other.count()
	isNear(t, 10, func() {
		one.putTo("10.8.0.2", packetBytes)
		other.putTo("10.9.0.2", packetBytes)
	}, func() int { return bytesToOne("10.8.0.2") + bytesToOther("10.9.0.2") })
	if bytesToOne("10.8.0.2") == 0 || bytesToOther("10.9.0.2") == 0 {
		t.Error("one got nothing")
	}
}

func TestAQuietDeviceDoesNotWaitForTheSameMembersFlood(t *testing.T) {
	lane := newLane[raw]()
	lane.room = roomFor(1)
	flooding, quiet := stackAddress(netip.MustParseAddr("10.8.0.2")), stackAddress(netip.MustParseAddr("10.8.0.3"))
	dropped := 0
	for range 1_000 {
		if !lane.put(flooding, make(raw, 1_000), func(raw) { t.Error("a queue must not drop for itself") }) {
			dropped++
		}
	}
	if dropped != 1_000-lane.room/1_000 {
		t.Errorf("%d dropped", dropped)
	}
	if !lane.put(quiet, make(raw, 999), func(packet raw) { dropped = len(packet) }) || dropped != 1_000 {
		t.Error("the longest queue must give room")
	}
	lane.next()
	if second, _ := lane.next(); second.Size() != 999 {
		t.Error("addresses take turns")
	}
	for !lane.isEmpty() {
		lane.next()
	}
	if lane.bytes != 0 || len(lane.waiting) != 0 || len(lane.held) != 0 {
		t.Error("something is left")
	}
}

func TestAChangedLimitHoldsForWhatWaitsAndNoneLetsItGo(t *testing.T) {
	link := newLink("wg0", 1420)
	defer link.Close()
	var came atomic.Int64
	link.intercept = func([]byte) bool { came.Add(1); return true }
	card{link}.Attach(nothing{})
	shared := open(t, fileIn(t))
	bytesTo := link.count()
	link.limitSpeeds([]SpeedLimit{limit(2, 0.1, "10.8.0.2")}, shared)
	for range 50 {
		link.putTo("10.8.0.2", packetBytes)
		_, _ = link.Write([][]byte{packetBetween("10.8.0.2", "203.0.113.1", packetBytes)}, 0)
	}
	if bytesTo("10.8.0.2") > 5*packetBytes || came.Load() > 5 {
		t.Error("it did not wait")
	}
	link.limitSpeeds(nil, shared)
	if link.limits.up.Load() != nil || len(link.limits.down) != 0 {
		t.Error("others would pay")
	}
	until := time.Now().Add(2 * time.Second)
	for bytesTo("10.8.0.2") < 50*packetBytes || came.Load() < 50 {
		if time.Now().After(until) {
			t.Fatalf("%d bytes to it and %d packets from it", bytesTo("10.8.0.2"), came.Load())
		}
		time.Sleep(time.Millisecond)
	}
}

func TestWhatAnotherStartLeftInTheFileHoldsNobody(t *testing.T) {
	path := fileIn(t)
	words := make([]byte, bucketCount*bucketSize)
	for at := 0; at < len(words); at += bucketSize {
		binary.NativeEndian.PutUint64(words[at:], 1<<62)
	}
	if err := os.WriteFile(path, words, 0o600); err != nil {
		t.Fatal(err)
	}
	bucket := open(t, path).of(2, 10)
	if bucket.take(packetBytes) != 0 {
		t.Error("it waits for a moment of another clock")
	}
	for bucket.take(packetBytes) == 0 {
	}
	if wait := bucket.take(packetBytes); wait > 50*time.Millisecond {
		t.Errorf("it waits %s", wait)
	}
}

func TestOnlyAFileHoldsBuckets(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink("/dev/null", folder+"/link"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, folder + "/link", folder + "/none/speeds", "/dev/null"} {
		if _, err := openBuckets(path); err == nil {
			t.Errorf("%s is taken", path)
		}
	}
}

func TestALineOfLimitsIsTakenEntirelyOrNotAtAll(t *testing.T) {
	good := `{"file":"/run/speeds","limits":[{"bucket":2,"mbit":10,"sources":["10.8.0.2","fd00::2"]},{"bucket":4,"mbit":1,"sources":[]}]}`
	if read, err := ReadSpeeds([]byte(good)); err != nil || len(read.Limits) != 2 {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"/run/speeds"`, `"speeds"`}, {`"limits":[`, `"more":1,"limits":[`}, {`"bucket":4`, `"bucket":2`}, {`"bucket":4`, `"bucket":3`},
		{`"bucket":4`, `"bucket":-2`}, {`"bucket":4`, fmt.Sprintf(`"bucket":%d`, bucketCount)}, {`"mbit":1,`, `"mbit":0,`},
		{`"mbit":1,`, `"mbit":1e9,`}, {`[]`, `["10.8.0.2"]`}, {`[]`, `["10.8.0.0/24"]`}, {`[]`, `["::ffff:10.8.0.3"]`}, {`[]`, `["fe80::1%eth0"]`},
		{`[]`, `[""]`}, {`]}`, `]} {}`}, {`]}`, ``},
	} {
		if wrong := strings.Replace(good, change[0], change[1], -1); wrong == good {
			t.Fatal(change)
		} else if _, err := ReadSpeeds([]byte(wrong)); err == nil {
			t.Errorf("taken: %s", wrong)
		}
	}
	if _, err := ReadSpeeds([]byte(`{"file":"/run/speeds"}`)); err == nil {
		t.Error("taken without limits")
	}
}
