package trie

import "math/bits"

// Nodes are RLP lists: a leaf is [path, value], an extension is [path, reference], and a branch is sixteen references
// and a value (Yellow Paper, appendices B to D).

// Flags of the compact encoding of paths (Yellow Paper, appendix C).
const (
	oddPath  = 0x10
	leafPath = 0x20
)

func appendLeaf(buf []byte, l *node) []byte {
	start, end := int(l.start), 2*len(l.key)
	buf = appendHeader(buf, 0xc0, pathSize(start, end)+stringSize(l.value))
	buf = appendPath(buf, leafPath, l.key, start, end)
	return appendString(buf, l.value)
}

// appendExtension appends the encoding of the path in front of a branch. below is the reference to the branch.
func appendExtension(buf []byte, b *node, below []byte) []byte {
	start, end := int(b.start), int(b.end)
	buf = appendHeader(buf, 0xc0, pathSize(start, end)+len(below))
	buf = appendPath(buf, 0, b.key, start, end)
	return append(buf, below...)
}

// appendBranch appends the encoding of a branch without its path. The children must have their references.
func appendBranch(buf []byte, b *node) []byte {
	var value []byte
	if end := b.children[terminator]; end != nil {
		value = end.value
	}
	size := stringSize(value)
	for _, child := range b.children[:terminator] {
		if child == nil {
			size++
		} else {
			size += int(child.len)
		}
	}
	buf = appendHeader(buf, 0xc0, size)
	for _, child := range b.children[:terminator] {
		if child == nil {
			buf = append(buf, 0x80)
		} else {
			buf = append(buf, child.reference()...)
		}
	}
	return appendString(buf, value)
}

// appendPath appends the nibbles of key in [start, end) in compact encoding, as an RLP string.
func appendPath(buf []byte, flags byte, key []byte, start, end int) []byte {
	if size := 1 + (end-start)/2; size > 1 {
		buf = appendHeader(buf, 0x80, size)
	}
	if (end-start)%2 == 1 {
		flags |= oddPath | nibble(key, start)
		start++
	}
	buf = append(buf, flags)
	if start%2 == 0 {
		return append(buf, key[start/2:end/2]...)
	}
	for ; start < end; start += 2 {
		buf = append(buf, nibble(key, start)<<4|nibble(key, start+1))
	}
	return buf
}

func pathSize(start, end int) int {
	size := 1 + (end-start)/2
	if size == 1 {
		return 1 // with its flags a byte below 0x80: its own encoding
	}
	return headerSize(size) + size
}

func appendString(buf, s []byte) []byte {
	if len(s) == 1 && s[0] < 0x80 {
		return append(buf, s[0])
	}
	return append(appendHeader(buf, 0x80, len(s)), s...)
}

func stringSize(s []byte) int {
	if len(s) == 1 && s[0] < 0x80 {
		return 1
	}
	return headerSize(len(s)) + len(s)
}

// maxShort is the longest RLP content whose length fits the header's one byte.
const maxShort = 55

// appendHeader appends the RLP header of a string (kind 0x80) or list (0xc0) with size bytes of content.
func appendHeader(buf []byte, kind byte, size int) []byte {
	if size <= maxShort {
		return append(buf, kind+byte(size))
	}
	width := headerSize(size) - 1
	buf = append(buf, kind+maxShort+byte(width))
	for shift := 8 * (width - 1); shift >= 0; shift -= 8 {
		buf = append(buf, byte(size>>shift))
	}
	return buf
}

func headerSize(size int) int {
	if size <= maxShort {
		return 1
	}
	return 1 + (bits.Len(uint(size))+7)/8
}
