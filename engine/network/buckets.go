package network

import (
	"errors"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	bucketCount = 65_536
	bucketSize  = int(unsafe.Sizeof(int64(0)))
	// What may leave at once after a silence, or after a timer that was late.
	creditNs = int64(20 * time.Millisecond)
	// Nothing lets packets through so far ahead: what says so was left by the machine's last start.
	mostAheadNs = int64(2 * time.Second)
	// Timers are no finer; what they are late is credited.
	leastWait = time.Millisecond
)

// buckets are counted by all engines of a machine together, so that a member's devices share their limit whatever interfaces they
// use: each is the moment, of the clock that all processes share, until which the bytes let through take at the member's speed.
type buckets struct {
	path   string
	counts []byte
}

func openBuckets(path string) (buckets, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return buckets{}, err
	}
	defer file.Close()
	told, err := file.Stat()
	if err != nil {
		return buckets{}, err
	}
	if !told.Mode().IsRegular() {
		return buckets{}, errors.New("no file")
	}
	const size = bucketCount * bucketSize
	if told.Size() < int64(size) {
		if err := file.Truncate(int64(size)); err != nil {
			return buckets{}, err
		}
	}
	counts, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return buckets{path, counts}, err
}

func (shared buckets) of(number int, mbit float64) *bucket {
	return &bucket{(*atomic.Int64)(unsafe.Pointer(&shared.counts[number*bucketSize])), 8e3 / mbit}
}

type bucket struct {
	until     *atomic.Int64
	nsPerByte float64
}

// take lets that many bytes through and returns 0, or returns how long they wait.
func (bucket *bucket) take(bytes int) time.Duration {
	if bucket == nil {
		return 0
	}
	for {
		now, until := monotonicNs(), bucket.until.Load()
		from := max(until, now-creditNs)
		if until > now+mostAheadNs {
			from = now
		}
		if from > now {
			return max(time.Duration(from-now), leastWait)
		}
		if bucket.until.CompareAndSwap(until, from+int64(float64(bytes)*bucket.nsPerByte)) {
			return 0
		}
	}
}

// Go's own monotonic clock counts from the process's start; the machine's is the same for all processes.
var begun = time.Now()
var begunNs = func() (latest int64) {
	// An interruption between the two readings would make this process's clock late.
	for range 16 {
		var now unix.Timespec
		_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)
		latest = max(latest, now.Nano()-int64(time.Since(begun)))
	}
	return latest
}()

func monotonicNs() int64 { return begunNs + int64(time.Since(begun)) }
