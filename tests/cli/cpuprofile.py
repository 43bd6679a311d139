# cpuprofile.py BINARY WORD ORDER - on standard output, the CPU profile that
# gperftools would have written of a run of BINARY in words of WORD bytes; the
# addresses of its functions are read as nm prints them from standard input.
import os
import struct
import sys

binary, word, order = sys.argv[1], int(sys.argv[2]), sys.argv[3]
BIAS = 0x555555554000 if word == 8 else 0x40000000
text = open(binary, "rb").read()
functions = {}
for line in sys.stdin:
    found = line.split()
    if len(found) == 3 and found[1] in "tT":
        functions[found[2]] = int(found[0], 16)


def put(*words):
    sys.stdout.buffer.write(struct.pack(
        ("<" if order == "little" else ">") + "%d%s" % (len(words), "Q" if word == 8 else "I"),
        *words))


# Of the ELF header: where the program headers are, and how many.
off, = struct.unpack_from("<Q", text, 32)
n, = struct.unpack_from("<H", text, 56)
for i in range(n):
    kind, flags, file_off, vaddr, _, size = struct.unpack_from("<IIQQQQ", text, off + 56 * i)
    if kind == 1 and flags & 1:
        break
page = 4096
lo, file_off = vaddr // page * page, file_off // page * page
hi = (vaddr + size + page - 1) // page * page
status = os.stat(binary)


def at(name):
    return BIAS + functions[name] + 4


put(0, 3, 0, 10000, 0)                          # 100 Hz
put(30, 2, at("one"), at("main"))
put(1, 2, at("one"), at("main"))                # told in parts
put(9, 3, at("two"), at("one"), at("main"))
put(2, 1, 0x1234)                               # in nothing
put(0, 1, 0)
sys.stdout.buffer.write(
    ("%08x-%08x r-xp %08x %02x:%02x %-11d %s\n"
     % (BIAS + lo, BIAS + hi, file_off, os.major(status.st_dev), os.minor(status.st_dev),
        status.st_ino, binary)).encode())
