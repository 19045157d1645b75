package optimism

// Limits of FastLZ, level 1.
const (
	minInput    = 13 // a shorter input is kept as it is
	tail        = 13 // bytes at the end in which no match begins
	maxDistance = 1<<13 - 1
	maxLiterals = 32 // in one instruction
	longMatch   = 262
)

// CompressedSize returns the size of data in bytes after compression with FastLZ, level 1, from which the fee for data
// on L1 is computed. It equals the reference implementation's with an empty table, to the byte.
func CompressedSize(data []byte) uint64 {
	c := compressor{data: data}
	if len(data) < minInput {
		return literalSize(len(data))
	}
	limit := len(data) - tail
	at, anchor := 2, 0
	for at < limit {
		match, found := c.search(&at, limit)
		if !found {
			break
		}
		c.size += literalSize(at - anchor)
		length := c.common(match+3, at+3, limit+9)
		c.size += matchSize(length)
		at += length
		c.remember(at)
		c.remember(at + 1)
		at += 2
		anchor = at
	}
	return c.size + literalSize(len(data)-anchor)
}

// compressor counts the bytes that compression would write.
type compressor struct {
	data  []byte
	size  uint64
	table [1 << 13]uint32 // of the hash of three bytes: where they were last seen
}

// search moves at forward to the next three bytes that were seen before, and returns the place where. It reports false
// if there are none below limit.
func (c *compressor) search(at *int, limit int) (match int, found bool) {
	for ; *at < limit; *at++ {
		three := c.three(*at)
		seen := &c.table[hashOf(three)]
		match, *seen = int(*seen), uint32(*at)
		if *at-match <= maxDistance && c.three(match) == three {
			// The reference checks the limit after it has moved on, and so drops the last match.
			return match, *at+1 < limit
		}
	}
	return 0, false
}

// three returns the three bytes at i as a number.
func (c *compressor) three(i int) uint32 {
	return uint32(c.data[i]) | uint32(c.data[i+1])<<8 | uint32(c.data[i+2])<<16
}

func hashOf(three uint32) uint32 { return three * 2654435769 >> 19 & (1<<13 - 1) }

// remember notes the three bytes at i.
func (c *compressor) remember(i int) { c.table[hashOf(c.three(i))] = uint32(i) }

// common returns how far the bytes at p and q agree, the first that differ included, up to end.
func (c *compressor) common(p, q, end int) int {
	for n := range end - q {
		if c.data[p+n] != c.data[q+n] {
			return n + 1
		}
	}
	return end - q
}

// literalSize returns the size of n bytes that are copied: each instruction takes a byte and copies up to 32.
func literalSize(n int) uint64 {
	instructions := (n + maxLiterals - 1) / maxLiterals
	return uint64(n + instructions)
}

// matchSize returns the size of a reference to bytes before: two bytes if it is short, else three for each 262 bytes.
func matchSize(length int) uint64 {
	rest := length - 1
	size := 3 * (rest / longMatch)
	if rest%longMatch >= 6 {
		return uint64(size + 3)
	}
	return uint64(size + 2)
}
