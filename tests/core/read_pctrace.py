"""Reads a trace as pctrace(5) says, and nothing else; prints its events as
event_log.c does.  A second reader, so that the page and the code cannot both
be wrong in the same way."""
import struct
import sys
import zlib


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def more(self):
        return self.at < len(self.data)

    def take(self, n):
        part = self.data[self.at:self.at + n]
        assert len(part) == n
        self.at += n
        return part

    def byte(self):
        return self.take(1)[0]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                assert value < 1 << 64
                return value

    def difference(self):
        n = self.varint()
        return -((n + 1) // 2) if n & 1 else n // 2

    def string(self):
        return self.take(self.varint())


def int32(n):
    return n - (1 << 32) if n >> 31 else n


class Block:
    def __init__(self, payload, time):
        self.data, self.time = Bytes(payload), time
        self.addrs, self.steps = [0] * 4, [0] * 4
        self.threads, self.last = [], []
        self.thread, self.ticks = None, 1
        self.stacks = [[] for _ in range(16)]
        self.kernel, self.has_kernel = [], False
        self.events = self.n_ticks = 0

    def recent(self, numbers, which, data):
        value = (numbers.pop(which) + data.difference()) % (1 << 64)
        numbers.insert(0, value)
        return value

    def next_time(self, data):
        self.time = (self.time + data.difference()) % (1 << 64)
        return self.time

    def sample(self, kind):
        data = self.data
        if kind & 0x10:
            self.thread = data.varint()
            if self.thread == len(self.threads):
                pid = int32(data.varint())
                self.threads.append((pid, int32(data.varint())))
                self.last.append(self.time)
        step = self.recent(self.steps, kind >> 2 & 3, data)
        self.time = (self.last[self.thread] + step) % (1 << 64)
        self.last[self.thread] = self.time
        pc = self.recent(self.addrs, kind & 3, data)
        if kind & 0x20:
            self.ticks = data.varint()
        more = data.byte() if kind & 0x40 else 0
        call = int32(data.varint()) if more & 1 else -1
        frames = [(0, pc)]
        if more & 2:
            n, shared = data.varint(), data.varint()
            kinds, shared = shared & 1, shared >> 1
            while len(frames) < n - shared:
                addr = (frames[-1][1] + data.difference()) % (1 << 64)
                frames.append((data.byte() if kinds else 1, addr))
            before = self.stacks[self.thread % 16]
            frames += before[len(before) - shared:]
            self.stacks[self.thread % 16] = frames
        end = more >> 5
        assert more & 12 != 12 and end <= 5
        state = 1 if call == -2 else 2 if more & 16 else 0
        certain = (self.ticks if more & 4 else
                   data.varint() if more & 8 else 0)
        self.n_ticks += self.ticks
        return b"sample %d %d %d %d %d %d %d %d" % (
            *self.threads[self.thread], self.time, self.ticks, certain,
            call, state, end) + b"".join(
            b" %d:%x" % frame for frame in frames) + self.next_kernel()

    def next_kernel(self):
        told, self.has_kernel = self.has_kernel, False
        return b"".join(b" " + name for name in self.kernel[::-1] if told)

    def take_kernel(self, data):
        n, shared = data.varint(), data.varint()
        assert 0 < n <= 128 and shared <= min(n, len(self.kernel))
        self.kernel = (self.kernel[:shared] +
                       [data.string() for _ in range(n - shared)])
        self.has_kernel = True

    def record(self, kind, data):
        if kind == 2:
            pid, time = int32(data.varint()), self.next_time(data)
            cpu, dev, inode, width = (data.varint() for _ in range(4))
            path, command = data.string(), data.string()
            machine = data.varint() if data.more() else 0
            rank = data.varint() - 1 if data.more() else -1
            return b"exec %d %d %d %d %d %d %s|%s %d %d" % (
                pid, time, cpu, dev, inode, width, path, command, machine,
                rank)
        if kind == 3:
            what, pid, time = (data.varint(), int32(data.varint()),
                               self.next_time(data))
            addr, size, off, dev, inode, deleted = (
                data.varint() for _ in range(6))
            return b"mapping %d %d %d %x %x %x %d %d %d %s|%s" % (
                what, pid, time, addr, size, off, dev, inode, deleted,
                data.string(), data.string().hex().encode())
        if kind == 4:
            what, pid, tid, parent = (int32(data.varint()) for _ in range(4))
            time, cpu, status = (self.next_time(data), data.varint(),
                                 int32(data.varint()))
            return b"life %d %d %d %d %d %s| %d %d" % (
                what, pid, tid, parent, time, data.string(), cpu, status)
        assert kind == 5
        return b"figure %s %d" % (data.string(), data.varint())

    def play(self, out):
        while self.data.more():
            kind = self.data.byte()
            if kind >= 128:
                line = self.sample(kind)
            else:
                body = Bytes(self.data.take(self.data.varint()))
                if kind in (1, 6, 7):
                    continue
                if kind == 8:
                    self.take_kernel(body)
                    self.events += 1
                    continue
                line = self.record(kind, body)
            self.events += 1
            out.write(line + b"\n")


def main(path, out):
    with open(path, "rb") as file:
        data = Bytes(file.read())
    header = data.take(12)
    assert header[:8] == b"\x89pctrace"
    assert header[8:] in (b"\x01\0\0\0", b"\x02\0\0\0", b"\x03\0\0\0")
    assert struct.unpack("<I", data.take(4))[0] == zlib.crc32(header)
    events = ticks = 0
    while data.more():
        header = data.take(36)
        marker, n, time, events_before, ticks_before, total = struct.unpack(
            "<4sIQQQI", header)
        assert marker == b"\xb5PCB"
        assert struct.unpack("<I", data.take(4))[0] == zlib.crc32(header)
        payload = data.take(n)
        assert total == zlib.crc32(payload)
        assert (events, ticks) == (events_before, ticks_before)
        block = Block(payload, time)
        block.play(out)
        events += block.events
        ticks += block.n_ticks


if __name__ == "__main__":
    main(sys.argv[1], sys.stdout.buffer)
