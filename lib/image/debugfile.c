#include "image/debugfile.h"

#include "config.h" /* bfd.h insists */

#include <bfd.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/note.h"

enum { MAX_ID_BYTES = 64, HEX_ROOM = 2 * MAX_ID_BYTES + 1 };

struct build_id {
	uint8_t bytes[MAX_ID_BYTES];
	size_t size; /* 0: none */
};

/* What is looked for, and where. */
struct wanted {
	struct prf_object *object;
	struct build_id id;
	const char *link; /* a file name without a slash, or NULL */
	GElf_Word link_crc;
	const struct prf_debug_way *way; /* or NULL */
	struct prf_names *names;
	struct prf_debugfile *debugfile;
};

static struct build_id
build_id_of(const struct prf_object *object)
{
	struct build_id id;

	id.size = prf_note_build_id(object, id.bytes, sizeof id.bytes);
	return id;
}

/* Anybody can say that a file of any size, with next to nothing in it, is the
 * debug file of his program. */
static bool
is_too_large(int fd)
{
	enum { BLOCK_BYTES = 512 }; /* of st_blocks */
	const off_t max = (off_t)4 << 30, max_sparse = (off_t)64 << 20;
	struct stat st;

	return fstat(fd, &st) < 0 || st.st_size > max ||
	       (st.st_size > max_sparse &&
		st.st_size / BLOCK_BYTES / 16 > st.st_blocks);
}

static bool
crc_matches(int fd, GElf_Word wanted)
{
	unsigned char buffer[65536];
	unsigned long crc = 0;
	off_t at = 0;
	ssize_t n;

	if (is_too_large(fd))
		return false;
	while ((n = pread(fd, buffer, sizeof buffer, at)) > 0) {
		crc = bfd_calc_gnu_debuglink_crc32(crc, buffer,
						   (bfd_size_type)n);
		at += n;
	}
	return n == 0 && (GElf_Word)crc == wanted;
}

/* Whether FOUND belongs to what is wanted; by its link if BY_LINK. */
static bool
matches(const struct wanted *wanted, const struct prf_debugfile *found,
	bool by_link)
{
	const GElf_Ehdr *a = &wanted->object->ehdr, *b = &found->object.ehdr;

	if (a->e_ident[EI_CLASS] != b->e_ident[EI_CLASS] ||
	    a->e_ident[EI_DATA] != b->e_ident[EI_DATA] ||
	    a->e_machine != b->e_machine)
		return false;

	struct build_id id = build_id_of(&found->object);
	if (wanted->id.size > 0 && id.size > 0)
		return id.size == wanted->id.size &&
		       memcmp(id.bytes, wanted->id.bytes, id.size) == 0;
	return by_link && crc_matches(found->fd, wanted->link_crc);
}

/* Takes FD (-1: none), which is open at PATH, if it is the right one. */
static bool
try_fd(struct wanted *wanted, int fd, const char *path, bool by_link)
{
	struct prf_debugfile *found = wanted->debugfile;
	struct prf_object *object = wanted->object;

	found->fd = fd;
	if (found->fd < 0)
		return false;
	found->path = prf_names_join(wanted->names, path, "", "");
	if (!found->path ||
	    prf_object_open_fd(&found->object, found->fd, found->path, NULL)) {
		close(found->fd);
		return false;
	}
	/* A link can lead back to the file that it stands in. */
	bool itself = found->object.inode == object->inode &&
		      found->object.dev == object->dev;
	if (!itself && matches(wanted, found, by_link))
		return true;
	if (!itself)
		prf_object_warn(object, "its debug file %s is another build's",
				path);
	prf_debugfile_close(found);
	return false;
}

static bool
may_be_silent(const struct wanted *wanted, const char *path)
{
	const struct prf_debug_way *way = wanted->way;

	return way && way->may_be_silent && way->may_be_silent(way->arg, path);
}

static bool
try_path(struct wanted *wanted, const char *path, bool by_link)
{
	if (may_be_silent(wanted, path))
		return false;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	return try_fd(wanted, fd, path, by_link);
}

/* A file in memory has no directory; that of its path may be where it was copied
 * from, which may never answer.  A file of tmpfs has seals, too, but also a link. */
static bool
is_in_memory(const struct prf_object *object)
{
	struct stat st;

	return object->fd < 0 || (fcntl(object->fd, F_GET_SEALS) >= 0 &&
				  (fstat(object->fd, &st) || st.st_nlink == 0));
}

/* False: it is no build-id that files are found by. */
static bool
make_hex(const struct build_id *id, char hex[HEX_ROOM])
{
	if (id->size < 2)
		return false;
	for (size_t i = 0; i < id->size; i++)
		snprintf(hex + 2 * i, 3, "%02x", id->bytes[i]);
	return true;
}

static bool
try_build_id(struct wanted *wanted, const char *root)
{
	char path[PATH_MAX];
	char hex[HEX_ROOM];

	if (!make_hex(&wanted->id, hex))
		return false;
	int n = snprintf(path, sizeof path, "%s/.build-id/%.2s/%s.debug", root,
			 hex, hex + 2);
	return n > 0 && (size_t)n < sizeof path &&
	       try_path(wanted, path, false);
}

static bool
try_link(struct wanted *wanted, const char *root)
{
	char path[PATH_MAX];

	if (!wanted->link || is_in_memory(wanted->object) ||
	    may_be_silent(wanted, wanted->object->path))
		return false;
	PRF_AUTO(prf_auto_free)
	char *dir = realpath(wanted->object->path, NULL);
	if (!dir)
		return false;
	*strrchr(dir, '/') = '\0';

	const struct {
		const char *root, *sub;
	} places[] = {{"", ""}, {"", "/.debug"}, {root, ""}};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		int n = snprintf(path, sizeof path, "%s%s%s/%s", places[i].root,
				 dir, places[i].sub, wanted->link);

		if (n > 0 && (size_t)n < sizeof path &&
		    try_path(wanted, path, true))
			return true;
	}
	return false;
}

bool
prf_debugfile_open(struct prf_debugfile *debugfile, struct prf_object *object,
		   const char *root, const struct prf_debug_way *way,
		   struct prf_names *names)
{
	struct wanted wanted = {
		.object = object,
		.id = build_id_of(object),
		.way = way,
		.names = names,
		.debugfile = debugfile,
	};

	if (object->section_names != 0)
		wanted.link =
			dwelf_elf_gnu_debuglink(object->elf, &wanted.link_crc);
	if (wanted.link && (wanted.link[0] == '\0' || strchr(wanted.link, '/')))
		wanted.link = NULL;
	return try_build_id(&wanted, root) || try_link(&wanted, root);
}

bool
prf_debugfile_ask(struct prf_debugfile *debugfile, struct prf_object *object,
		  struct prf_debuginfod *servers, struct prf_names *names)
{
	struct prf_error warning = {0};
	struct wanted wanted = {
		.object = object,
		.id = build_id_of(object),
		.names = names,
		.debugfile = debugfile,
	};
	char hex[HEX_ROOM], name[HEX_ROOM + 32];

	if (!servers || !make_hex(&wanted.id, hex))
		return false;
	int fd = prf_debuginfod_find(servers, PRF_DEBUGINFOD_DEBUGINFO,
				     wanted.id.bytes, wanted.id.size, &warning);
	if (warning.code)
		prf_object_warn(object, "%s", warning.text);
	snprintf(name, sizeof name, "debuginfod:%s", hex);
	return try_fd(&wanted, fd, name, false);
}

void
prf_debugfile_close(struct prf_debugfile *debugfile)
{
	prf_object_close(&debugfile->object);
	close(debugfile->fd);
}
